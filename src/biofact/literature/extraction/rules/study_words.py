"""Phrases that reveal the kind of study without naming its design."""

import re

MENDELIAN = re.compile(r"(?i)\bmendelian randomi[sz]ation\b")
"""As in: a Mendelian randomisation study."""
META_ANALYSIS = re.compile(r"(?i)\bmeta-?\s?analy(?:sis|ses|tic review)\b")
"""As in: a meta-analysis."""
SYSTEMATIC = re.compile(
    r"(?i)\b(?:systematic(?:ally)? (?:literature )?review|systematic(?: \w+){1,3} review|scoping review"
    r"|umbrella review|systematic(?:ally)? (?:literature )?search|cochrane review|rapid review|"
    r"(?:integrative|evidence) review)"
)
"""As in: a systematic literature review."""
DONE_SYSTEMATICALLY = re.compile(
    r"(?i)\bwe (?:conducted|performed|did|carried out) a (?:\w+ )?(?:systematic|scoping) (?:\w+ )?(?:review|search)"
    r"|\b(?:medline|embase|pubmed|cochrane library|web of science)\b[^.]{0,200}\bwere "
    r"(?:systematically )?searched|\bwe (?:systematically )?searched (?:the )?(?:\w+ ){0,3}"
    r"(?:medline|embase|pubmed|cochrane|electronic|databases)|\bstudies were included in (?:the|this|our) review"
)
"""As in: we systematically searched the databases."""
SYSTEMATIC_LABEL = re.compile(
    r"^(search (?:strategy|methods?)|selection criteria|study selection|data extraction"
    r"|study appraisal[^:\n]{0,40}|(?:literature )?search strategy[^:\n]{0,40}):",
    re.IGNORECASE | re.MULTILINE,
)
"""As in: Search strategy: MEDLINE."""
EDITORIAL = re.compile(r"(?i)\s*editorial(?=\s*[.:]|\s*$)")
"""As in: Editorial: zinc again."""
OPEN_DESIGN = re.compile(
    r"(?i)phase .*|(?:open-label|pilot|feasibility|clinical|controlled|multicent(?:er|re)) .*|prospective study"
    r"|follow-up study|longitudinal (?:study|analysis|follow)"
)
"""A name that leaves open whether people were randomised. As in: phase III trial."""
OTHERS_TRIALS = re.compile(
    r"(?i)\brandomly (?:assigned|allocated|divided|split|selected|grouped) (?:in)?to (?:[\w-]+ ){0,3}"
    r"(?:training|validation|test|testing|derivation|development)\b|\brandomly assigned to (?:[\w-]+ ){0,3}(?:readers"
    r"|observers|reviewers|raters)\b|\b"
    r"(?:randomi[sz]ed (?:controlled |clinical )?trials? (?:is|are|were) "
    r"(?:needed|required|warranted|lacking|necessary)|"
    r"(?:further|future|large|larger|more|additional|previous|prior|other|recent|published) "
    r"(?:[\w-]+ ){0,3}randomi[sz]ed|mendelian randomi[sz]ation)"
)
"""As in: further randomised trials."""
ABOUT_GUIDELINES = re.compile(
    r"(?i)\b(?:adherence|compliance|impact|implementation|effects?|concordance|knowledge|according|based|following"
    r"|use|awareness|evaluation|validation|quality|comparison|review|appraisal|before and after|conform\w+|uptake"
    r"|survey)\b.*\bguidelines?\b|\bguidelines?\b.*\b(?:adherence|compliance|implementation|use)\b"
)
"""As in: adherence to guidelines."""
TRIAL = re.compile(
    r"(?i)\bphase (?:[iI]{1,3}[abAB]?(?:/[iI]{1,3}[ab]?)?|[1-3][ab]?(?:/[1-3][ab]?)?)\b(?: \w+)? "
    r"(?:trial|study|clinical)|\b(?:open-?label|single-?arm|non-?randomi[sz]ed|controlled|clinical|pilot"
    r"|feasibility|crossover|multicent(?:er|re)|double-?blind|prospective) (?:[\w-]+ )?"
    r"(?:trial|intervention study)\b|\bquasi-?(?:experimental|randomi[sz]ed)\b|\b(?:open-?label"
    r"|(?:double|single)-?blind|placebo-controlled|cross-?over)\b"
)
"""As in: an open-label trial."""
DIAGNOSTIC = re.compile(
    r"(?i)\b(?:diagnostic (?:accuracy|performance|value|study|test)|sensitivity (?:and|,) (?:the )?specificity"
    r"|receiver[- ]operating|test-retest reliability)\b"
)
"""As in: sensitivity and specificity."""
HUMAN_STUDY = re.compile(
    r"(?i)\b(?:(?:retro|pro)spective(?:ly(?! registered))?|observational|registry|chart review|medical records)\b"
)
"""As in: a retrospective chart review."""
THIS_REVIEW = re.compile(
    r"(?i)\b(?:(?:this|the present|the current|our|present) (?:\w+ ){0,2}(?:review|overview)\b|in this review\b|this "
    r"(?:article|paper|chapter|work) (?:\w+ )?(?:reviews|summari[sz]es|discusses|provides an overview|outlines)"
    r"|\b(?:here,? )?(?:we|i) (?:\w+ )?(?:review|summari[sz]e) "
    r"(?:the|how|recent|current|what|our|some|evidence|advances)|focus of this review|(?:is|are) reviewed\b)"
)
"""As in: this review."""
ESSAY = re.compile(
    r"\b(?:this|the present|the) (?:paper|article|essay|commentary|perspective|viewpoint|chapter) (?:\w+ )?"
    r"(?:discusses|examines|argues|considers|focuses|addresses|explores|outlines)\b|\b(?:it is|we|i) argued?\b"
    r"|\bwe discuss\b"
)
"""As in: this paper discusses."""
CASE = re.compile(
    r"(?i)\b(?:we (?:\w+ )?(?:report|present|describe)(?:ed)? (?:\w+ )?(?:a|an|the|one) (?:[\w-]+ ){0,4}"
    r"(?:case|patient|woman|man|boy|girl|infant|child|neonate)\b|\b(?:this|our) case report\b"
    r"|\bthe case of an? (?:\d|[\w-]+[- ]year)|\bin an? (?:fatal|rare|single|death|unusual) case\b"
    r"|\bcase presentation\b|\ba \d{1,3}-(?:year|month|week|day)-old\b[^.]{0,80}\b"
    r"(?:presented|was admitted|was referred|developed|who))"
)
"""As in: we report a case."""
PROTOCOL = re.compile(
    r"(?i)\b(?:patients|participants|subjects|women|children|adults) will be\b|\bwe will (?:recruit|enrol|randomi)"
)
"""As in: participants will be."""
CASES_AND_CONTROLS = re.compile(
    r"(?i)\b(?:cases|patients) and (?:[\w-]+ ){0,5}controls\b|\d (?:healthy|matched|normal) (?:[\w-]+ )?controls\b"
    r"|\d (?:[\w-]+ ){0,2}(?:individuals|subjects|adults|cases) (?:with|aged|suffering|diagnosed)\b"
)
"""As in: cases and healthy controls."""
CAPITAL_N = re.compile(r"\b[Nn]\s?=\s?\d+")
"""As in: n = 30."""
PEOPLE_STUDIED = re.compile(
    r"(?i)\b(?:patients|participants|subjects|volunteers|women|men|children|adults|respondents|people|students"
    r"|infants|mothers|nurses|physicians|runners|stakeholders)\b"
)
"""As in: patients."""
