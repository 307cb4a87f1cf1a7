"""Made answers: the same content in JSON and in XML."""

SEARCH = {
    "header": {"type": "esearch", "version": "0.3"},
    "esearchresult": {
        "count": "1234",
        "retmax": "2",
        "retstart": "40",
        "querykey": "1",
        "webenv": "MCID_1",
        "idlist": ["672", "7157"],
        "translationset": [{"from": "human[orgn]", "to": '"Homo sapiens"[Organism]'}],
        "querytranslation": 'BRCA1[All Fields] AND "Homo sapiens"[Organism] AND x < y',
        "errorlist": {"phrasesnotfound": ["fleegle", "flugel"], "fieldsnotfound": ["nofield"]},
        "warninglist": {
            "phrasesignored": ["the"],
            "quotedphrasesnotfound": ['"no such phrase"'],
            "outputmessages": ["No items found."],
        },
    },
}
SEARCH_XML = """<Count>1234</Count><RetMax>2</RetMax><RetStart>40</RetStart><QueryKey>1</QueryKey>
<WebEnv>MCID_1</WebEnv><IdList>
<Id>672</Id>
<Id>7157</Id>
</IdList><TranslationSet><Translation><From>human[orgn]</From><To>"Homo sapiens"[Organism]</To></Translation>
</TranslationSet><QueryTranslation>BRCA1[All Fields] AND "Homo sapiens"[Organism] AND x &lt; y</QueryTranslation>
<ErrorList><PhraseNotFound>fleegle</PhraseNotFound><PhraseNotFound>flugel</PhraseNotFound>
<FieldNotFound>nofield</FieldNotFound></ErrorList><WarningList><PhraseIgnored>the</PhraseIgnored>
<QuotedPhraseNotFound>"no such phrase"</QuotedPhraseNotFound>
<OutputMessage>No items found.</OutputMessage></WarningList>"""

GENE = {
    "uid": "4747",
    "name": "NEFL",
    "status": "",
    "currentid": "",
    "chromosome": "8",
    "mim": ["162280"],
    "genomicinfo": [
        {"chrloc": "8", "chraccver": "NC_000008.11", "chrstart": 24956868, "chrstop": 24950954, "exoncount": 4}
    ],
    "geneweight": 12345,
    "summary": "",
    "chrstart": 24950954,
    "organism": {"scientificname": "Homo sapiens", "commonname": "human", "taxid": 9606},
    "locationhist": [],
}
ARTICLE = {
    "uid": "1",
    "title": "A title with <i>italics</i>.",
    "authors": [{"name": "Only A", "authtype": "Author", "clusterid": ""}],
    "lang": ["eng"],
    "pubtype": ["Journal Article", "Review"],
    "articleids": [{"idtype": "pubmed", "idtypen": 1, "value": "1"}],
    "references": [],
    "attributes": ["Has Abstract"],
    "pmcrefcount": "",
    "sortpubdate": "2025/01/15 00:00",
}
SUMMARIES = {
    "header": {"type": "esummary", "version": "0.3"},
    "result": {
        "uids": ["4747", "999999999", "1"],
        "4747": GENE,
        "999999999": {"uid": "999999999", "error": "cannot get document summary"},
        "1": ARTICLE,
    },
}
SUMMARIES_XML = """
<DocumentSummarySet status="OK"><DbBuild>Build1</DbBuild>
<DocumentSummary uid="4747"><Name>NEFL</Name><Status>0</Status><CurrentID>0</CurrentID><Chromosome>8</Chromosome>
<Mim><int>162280</int></Mim><GenomicInfo><GenomicInfoType><ChrLoc>8</ChrLoc><ChrAccVer>NC_000008.11</ChrAccVer>
<ChrStart>24956868</ChrStart><ChrStop>24950954</ChrStop><ExonCount>4</ExonCount></GenomicInfoType></GenomicInfo>
<GeneWeight>12345</GeneWeight><Summary></Summary><ChrStart>24950954</ChrStart><Organism>
<ScientificName>Homo sapiens</ScientificName><CommonName>human</CommonName><TaxID>9606</TaxID></Organism>
<LocationHist>
</LocationHist></DocumentSummary>
<DocumentSummary uid="999999999"><error>cannot get document summary</error></DocumentSummary>
<DocumentSummary uid="1"><Title>A title with &lt;i&gt;italics&lt;/i&gt;.</Title><Authors><Author><Name>Only A</Name>
<AuthType>
    Author
</AuthType><ClusterID></ClusterID></Author></Authors><Lang><string>eng</string></Lang>
<PubType><flag>Journal Article</flag><flag>Review</flag></PubType><ArticleIds><ArticleId><IdType>pubmed</IdType>
<IdTypeN>1</IdTypeN><Value>1</Value></ArticleId></ArticleIds><References></References>
<Attributes><flag>Has Abstract</flag></Attributes><PmcRefCount></PmcRefCount>
<SortPubDate>2025/01/15 00:00</SortPubDate></DocumentSummary></DocumentSummarySet>"""

LINKS = {
    "header": {"type": "elink", "version": "0.3"},
    "linksets": [
        {
            "dbfrom": "gene",
            "ids": ["7157"],
            "linksetdbs": [
                {"dbto": "pubmed", "linkname": "gene_pubmed", "links": ["12032546", "20937277"]},
                {"dbto": "pubmed", "linkname": "gene_pubmed_rif", "links": [{"id": "20937277", "score": 91}]},
            ],
        },
        {"dbfrom": "gene", "ids": ["672"]},
        {
            "dbfrom": "gene",
            "ids": ["675"],
            "linksetdbhistories": [{"dbto": "pubmed", "linkname": "gene_pubmed", "querykey": "2"}],
            "webenv": "MCID_2",
        },
    ],
}
LINKS_XML = """<LinkSet><DbFrom>gene</DbFrom><IdList><Id>7157</Id></IdList>
<LinkSetDb><DbTo>pubmed</DbTo><LinkName>gene_pubmed</LinkName><Link><Id>12032546</Id></Link><Link><Id>20937277</Id></Link>
</LinkSetDb><LinkSetDb><DbTo>pubmed</DbTo><LinkName>gene_pubmed_rif</LinkName>
<Link><Id>20937277</Id><Score>91</Score></Link></LinkSetDb></LinkSet>
<LinkSet><DbFrom>gene</DbFrom><IdList><Id>672</Id></IdList></LinkSet>
<LinkSet><DbFrom>gene</DbFrom><IdList><Id>675</Id></IdList><LinkSetDbHistory><DbTo>pubmed</DbTo>
<LinkName>gene_pubmed</LinkName><QueryKey>2</QueryKey></LinkSetDbHistory><WebEnv>MCID_2</WebEnv></LinkSet>"""

DATABASE = {
    "dbname": "gene",
    "menuname": "Gene",
    "description": "Gene database",
    "dbbuild": "Build260906-0600m.1",
    "count": "99515628",
    "lastupdate": "2026/09/06 09:28",
    "fieldlist": [
        {
            "name": "ALL",
            "fullname": "All Fields",
            "description": "All terms",
            "termcount": "7",
            "isdate": "N",
            "isnumerical": "Y",
            "singletoken": "N",
            "hierarchy": "Y",
            "ishidden": "N",
        }
    ],
    "linklist": [{"name": "gene_pubmed", "menu": "PubMed", "description": "Articles", "dbto": "pubmed"}],
}
DATABASE_XML = """<DbInfo><DbName>gene</DbName><MenuName>Gene</MenuName><Description>Gene database</Description>
<DbBuild>Build260906-0600m.1</DbBuild><Count>99515628</Count><LastUpdate>2026/09/06 09:28</LastUpdate>
<FieldList><Field><Name>ALL</Name><FullName>All Fields</FullName><Description>All terms</Description>
<TermCount>7</TermCount><IsDate>N</IsDate><IsNumerical>Y</IsNumerical><SingleToken>N</SingleToken>
<Hierarchy>Y</Hierarchy><IsHidden>N</IsHidden></Field></FieldList>
<LinkList><Link><Name>gene_pubmed</Name><Menu>PubMed</Menu><Description>Articles</Description><DbTo>pubmed</DbTo>
</Link></LinkList></DbInfo>"""
