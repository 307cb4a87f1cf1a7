"""What every layer shares: identifiers, cross-references, envelopes, errors, provenance, tools."""
