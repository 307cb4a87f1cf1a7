"""From a caller's text to the entities that it means, each checked to carry the identifier."""
