"""Words that tell what they are, or what the words beside them are."""

import re

from biofact.literature.extraction.rules.vocabulary import words

MEASURE = re.compile(
    r"(?:mortality|survival|incidence|prevalence|rates?|risks?|scores?|levels?|quality|time|severity|recurrence"
    r"|outcomes?|function|expression|activity|concentrations?|pressure|efficacy|effectiveness|safety|adherence"
    r"|satisfaction|accuracy|symptoms?|knowledge|attitudes|perceptions|performance|growth|response|progression|index"
    r"|volume|density|weight|intake|duration|frequency|complications?|events?|deaths?|remission|failure|success|length"
    r"|stay|healing|sensitivity|specificity|burden|costs?|prognosis|proliferation|apoptosis)"
)
"""As in: mortality."""
GENERAL = re.compile(
    r"(?:stud(?:y|ies)|trials?|reviews?|analys[ei]s|data|methods?|results?|literature|hypothesis|groups?|evidence"
    r"|effects?|roles?|impact|purpose|aims?|objectives?|use|patients|model|approach|months?|years?|weeks?|days?"
    r"|baseline|findings?|p|n|age|mean|median|significance|comparison|differences?)"
)
"""As in: baseline."""
CONTROL = words(
    "lowest reference placebo control controls sham usual standard conventional traditional routine no without"
    " untreated healthy normal vehicle wild-type unexposed alone monotherapy waiting saline inactive lower low other"
)
CUES = words(
    "primary secondary main outcome outcomes endpoint endpoints compared comparing comparison versus vs than randomized"
    " randomised randomly allocated assigned effect effects efficacy safety receive received receiving treated"
    " treatment with whether aim objective purpose impact association measured assessed evaluated evaluate assess"
    " control placebo group groups arm arms included enrolled recruited patients women men participants significant"
    " significantly difference differences higher lower increased decreased reduced improved improvement reduction"
    " increase between either after"
)
