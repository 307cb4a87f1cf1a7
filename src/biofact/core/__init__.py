"""Words that everyone shares: identifiers, cross-references, envelopes, errors, provenance, tools."""
