"""How sentences of results name the outcome that they speak of, and what it is compared with."""

import re

from biofact.literature.extraction.rules.vocabulary import CLAUSE_END, words

NAME_END = (CLAUSE_END - {"under", "based"}) | words(
    "among for during following between across compared assessed measured defined evaluated with at from after"
    " before favored favoured occurred differed remained did tended improved decreased increased declined fell rose"
    " as per over relative within until when such including"
)
"""What ends the name of an outcome."""
PRIMARY_OUTCOME = re.compile(
    r"(?i)\b(?:co-?)?(?:primary|main|principal)(?: [\w-]+){0,3}? (?:end ?-?points?|outcomes?)"
    r"(?: (?:measures?|variables?|parameters?|criteri(?:on|a)))?(?: (?:of|in|for) (?:this|the|our) "
    r"(?:study|trial|analysis))?(?:,? (?:was|were|is|are|included|includes|will be|of)(?: defined as)?|:|,| \()\s?"
    r"(?P<y>[^\d\W].{2})"
)
"""As in: the primary outcome was mortality."""
PRIMARY_NAMED = re.compile(r"(?i)\b(?:co-?)?(?:primary|main|principal)(?: [\w-]+){0,3}? (?:end ?-?points?|outcomes?)\b")
"""As in: for the primary outcome."""
SECONDARY_OUTCOME = re.compile(r"(?i)\bsecondary(?: [\w-]+){0,3}? (?:end ?-?points?|outcomes?)\b")
"""As in: a secondary outcome."""
SECONDARY_LIST = re.compile(
    r"(?i)\bsecondary(?: [\w-]+){0,2}? (?:end ?-?points?|outcomes?)(?: (?:measures?|variables?|parameters?))?"
    r"(?: (?:was|were|included|include|are|will be)(?: defined as)?|:)\s(?P<y>[^.;:]{3,300})"
)
"""As in: secondary outcomes were pain, sleep and fever."""
AT_START = re.compile(
    r"(?i)^[\s,;:]*(?:(?:and|but|while|whereas|however|moreover|furthermore|similarly|overall|also|likewise|finally"
    r"|consequently)\b,?\s*|(?:in|at|after|among|during|for|by|of|on|with|within|over|from|when|since|between"
    r"|compared (?:with|to)|as compared|relative to|secondary outcomes?:?)\b[^,]{1,90},\s*)*"
    r"(?:(?:the|an?|no|both|all|mean|median|and|for)\s+)*"
)
"""What stands before the subject. As in: In the zinc group, the"""
VERB = re.compile(
    r"(?i)\s(?:was|were|is|are|did|had|occurred|differed|remained|tended|improved|decreased|increased|declined|fell|rose"
    r"|favou?red|showed|changed|dropped|reached|lasted|worsened|has|have|developed|appeared|at)\b"
)
"""As in: mortality was."""
RATIO_FOR = re.compile(
    r"(?i)(?:(?:hazards?|odds|risk|rate) ratios?|(?:relative|absolute) risks?(?: reduction)?),? (?:for|of|in) (?:the )?"
    r"(?P<y>[^\d\W].{2})"
)
"""As in: hazard ratio for death."""
CHANGE_IN = re.compile(
    r"(?i)\b(?:differences?|reductions?|improvements?|increases?|decreases?|changes?|effects?|impact|benefits?|gains?"
    r"|declines?) (?:was |were )?(?:also )?(?:\w+ed )?(?:in|on|of|for) (?:the |mean |median )*(?P<y>[^\d\W].{2})"
)
"""As in: no significant difference in mortality."""
ASSOCIATED = re.compile(
    r"(?i)\bassociated with (?:an? |the )?(?:\w+ly )?(?:(?:lower|higher|reduced|increased|decreased|improved|better"
    r"|worse|longer|shorter|greater|fewer) )?(?:risks? of (?:an? )?)?(?P<y>[^\d\W].{2})"
)
"""As in: associated with lower mortality."""
HAD = re.compile(
    r"(?i)\b(?:had|have|showed|reported|experienced|exhibited|demonstrated|achieved|resulted in|led to|produced"
    r"|there (?:was|were)) (?:\w+ly )?(?:an? )?(?:\w+ly )?(?:lower|higher|better|worse|fewer|greater|longer|shorter"
    r"|less|more|improved|reduced|increased|decreased)(?: and \w+er)? (?:mean |median )?(?P<y>[^\d\W].{2})"
)
"""As in: had significantly lower pain scores."""
REDUCED = re.compile(
    r"(?i)(?<!was )(?<!were )(?<!is )(?<!ly )\b(?:\w+ly )?(?:reduced|increased|improved|decreased|lowered|raised"
    r"|prolonged|shortened|prevented|enhanced|alleviated|reduces|improves|increases|affected|attenuated) "
    r"(?:the |mean )?(?P<y>(?!by|from|to|in|at|with|compared|significantly|more|less|over|after|and|for|versus|vs)"
    r"(?:[^\d\W].{2}|\d+-\w.{2}))"
)
"""As in: zinc significantly reduced mortality."""
BY_FORM = (RATIO_FOR, CHANGE_IN, ASSOCIATED, HAD, REDUCED)
"""Where a clause names its outcome, the surest first."""
NO_NAME = re.compile(
    r"(?i)^(?:one|two|three|four|five|six|seven|eight|nine|ten|most|many|some|more|fewer|half|also|in|on|to|of|by|at|with"
    r"|abstract|confirmed|calculated|consequently|finally|notably|significantly)\b|^(?:co-)?(?:administration|treatment"
    r"|therapy|supplementation|use|addition|intake) (?:of|with)\b|^\d+(?!-)|\b(?:provided|required|produced|caused|gave"
    r"|led|resulted|combined|superior|effective|versus|vs|results)\b"
    r"|\b(?:primary|secondary)(?: \w+){0,3} (?:outcomes?|end ?-?points?)\b"
)
"""As in: Five of the nine lambs."""
EMPTY_NAME = re.compile(
    r"(?:it|this|that|these|those|they|there|which|who|no|none|all|both|each|results?|findings?|data|effects?|studies"
    r"|treatments?|interventions?|comparisons?|study|trials?|groups?|arms?|patients?|significan\w+|(?:\w+ )?values?"
    r"|(?:\w+ )*analys[ei]s|(?:\w+ )?differences?|bias|associations?|correlations?|reductions?|improvements?|changes?"
    r"|increases?|decreases?|outcomes?|end ?points?|similar\w*|p|ci|n|(?:hazards?|odds|risk|rate) ratios?"
    r"|relative risks?|higher|lower|greater|better|respectively"
    r"|.*\b(?:groups?|arms?|who|patients|women|men|participants|subjects|children|adults|infants))"
)
"""What is not the name of an outcome. As in: the zinc group"""
COMPARED = re.compile(
    r"(?i)\b(?:compared (?:with|to)|versus|vs\.?|relative to|than|over)(?: (?:with|in|for|to|those|patients|that|on"
    r"|receiving|the))* (?P<c>[^\d\W][\w -]{2,80}?)(?=\s*(?:[,;.()\[\]]|$|\b(?:at|in|for|and|was|were|had|after|during"
    r"|did|showed|with|over|but|except|who|which|that|when|while|as|by|on|from)\b))"
)
"""As in: compared with placebo."""
NO_COMPARATOR = re.compile(
    r"(?i)(?:baseline|before|expected|one|half|it|that|did|was|were|this|time|normal|usual)\b(?! care)"
)
"""What a value differs from over time. As in: baseline"""
APART = re.compile(r"(?i);|,? (?:whereas|while|but)\b|, and\b")
"""What parts a sentence into results. As in: fell, whereas pain rose."""
