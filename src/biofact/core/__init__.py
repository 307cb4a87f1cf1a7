"""Words that every layer shares: identifiers, cross-references, records, envelopes, errors, settings, tools."""
