"""Texts that a page has only in JSON-LD or in the state of its scripts."""

import json
import pickle
import time
from base64 import b64encode
from html import escape
from urllib.parse import quote

import pytest

import thresher
from tests.growth import assert_linear
from thresher.render.in_place import hide_in_place

SENTENCES = [
    "The kettle had been warmed slowly before the guests came from the garden, and nobody spoke.",
    "Anna poured the first cup and thought of the winter in which the old pot broke on the stairs.",
    "Her brother asked whether the leaves were from the shop near the harbour, closed since May.",
    "They were not, she said, but the owner of the shop had kept a few boxes of them for her.",
    "In the evening the lamps were lit, and the rest was carried out to the men at the gate.",
]
TEXT = "\n\n".join(SENTENCES)
HTML = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
TEASER = f"""<header><nav><a href=/n>News</a> <a href=/s>Sport</a></nav></header>
<main><h1>Tea at the gate</h1><p class=byline>By Ann Lee</p><p>{SENTENCES[0]}</p>
<div class=paywall><p>Subscribe to read on. Already a subscriber? Log in.</p></div></main>
<footer>Copyright The Paper 2020</footer>"""
TITLE = "<title>Tea at the gate | The Paper</title>"


def script(value: object, attributes: str = "type=application/ld+json") -> str:
    return f"<script {attributes}>" + json.dumps(value).replace("</", "<\\/") + "</script>"


def article(**properties: object) -> str:
    return script({"@type": "NewsArticle", "headline": "Tea at the gate", **properties})


def paragraphs(document: thresher.Document) -> list[str]:
    return [block.text for block in document.blocks if block.text in SENTENCES]


@pytest.mark.parametrize(
    "body",
    [
        TEXT,
        "\n".join(SENTENCES),
        SENTENCES,
        HTML,
        HTML.replace("<", "&lt;").replace(">", "&gt;"),
        f"</div></article>{HTML}<script>alert(1)</script><div>",
    ],
)
def test_a_teaser_is_replaced_by_the_body_of_the_article(body):
    document = thresher.extract(f"{TITLE}{article(articleBody=body)}<body>{TEASER}")
    assert document.status == "text from JSON-LD articleBody"
    assert paragraphs(document) == SENTENCES
    for written in (document.text, document.markdown(), document.html(), document.tei()):
        assert written.count("carried out to the men") == 1
        assert written.count("The kettle had been") == 1
        assert "Subscribe" not in written
        assert "alert" not in written
    assert document.title == "Tea at the gate"


def test_a_teaser_that_ends_within_a_sentence_and_character_references():
    teaser = TEASER.replace("garden, and nobody spoke.", "garden&hellip;")
    body = TEXT.replace("nobody", "n&amp;ouml;b&ouml;dy")
    document = thresher.extract(f"{TITLE}{article(articleBody=body)}<body>{teaser}")
    assert "and nöbödy spoke." in document.text


def test_data_in_attributes_of_a_page_without_scripts():
    state = escape(json.dumps({"post": {"title": "Tea at the gate", "body": HTML}}))
    typed = escape(json.dumps({"title": [0, "Tea at the gate"], "body": [0, HTML]}))
    for element, source in (
        (f'<div id=app data-page="{state}"></div>', "data-page body"),
        (f'<div data-react-props="{state}"></div>', "data-react-props body"),
        (f'<astro-island props="{typed}"></astro-island>', "props body"),
        (f'<meta itemprop=articleBody content="{TEXT}">', "microdata articleBody"),
    ):
        document = thresher.extract(f"{TITLE}<body><nav><a href=/>Home</a></nav>{element}")
        assert document.status == f"text from {source}"
        assert paragraphs(document) == SENTENCES


BLOCKS = [{"type": "p", "text": sentence} for sentence in SENTENCES]
INDEXED = [["Reactive", 1], {"data": 2}, {"post": 3}, {"title": 4, "blocks": 5}, "Tea at the gate"]
INDEXED += [list(range(6, 6 + 2 * len(SENTENCES), 2))]
for number, sentence in enumerate(SENTENCES):
    INDEXED += [{"type": 4, "text": 7 + 2 * number}, sentence]


@pytest.mark.parametrize(
    "data",
    [
        script(INDEXED, "id=__NUXT_DATA__ type=application/json"),
        script(
            {
                "title": "Tea at the gate",
                "blocks": [
                    {"name": "core/paragraph", "attributes": {"content": sentence}}
                    for sentence in SENTENCES
                ],
            },
            "id=__NEXT_DATA__ type=application/json",
        ),
        script(
            {"title": "Tea at the gate", "content": json.dumps({"blocks": BLOCKS})},
            "id=__NEXT_DATA__ type=application/json",
        ),
        "<script>window.__STATE__ = "
        f'"{quote(json.dumps({"title": "Tea at the gate", "body": HTML}))}"</script>',
    ],
)
def test_the_paragraphs_of_an_empty_page_are_found(data):
    document = thresher.extract(f"{TITLE}<body><div id=app></div>{data}")
    assert document.status.startswith("text from __")
    assert paragraphs(document) == SENTENCES


def test_json_ld_in_references_and_with_bare_quotation_marks():
    own = {"@type": "NewsArticle", "headline": "Tea at the gate", "articleBody": TEXT}
    whole = json.dumps(own)
    bare = whole.replace("the old pot", 'the "old" pot')
    for code, expected in ((escape(whole), "the old pot"), (bare, 'the "old" pot')):
        data = f"<script type=application/ld+json>{code}</script>"
        document = thresher.extract(f"{TITLE}{data}<body>{TEASER}")
        assert document.status == "text from JSON-LD articleBody"
        assert expected in document.text
        assert "carried out to the men" in document.text


def test_elements_of_next_without_a_title_are_written():
    elements = [["$", "p", str(at), {"children": one}] for at, one in enumerate(SENTENCES)]
    row = [
        "$",
        "article",
        None,
        {"children": [*elements, ["$", "footer", None, {"children": "x"}]]},
    ]
    nested = "[" * 700 + "1" + "]" * 700
    for more in ("", f"b:{nested}\n", 'c:["$"]\nd:["$",[],1,{}]\n'):
        pushed = json.dumps(f"a:{json.dumps(row)}\n{more}").replace("</", "<\\/")
        data = f"<script>self.__next_f.push([1,{pushed}])</script>"
        document = thresher.extract(f"{TITLE}<body><div></div>{data}")
        assert document.status == "text from __next_f html"
        assert paragraphs(document) == SENTENCES


def test_a_list_of_nuxt_that_holds_itself():
    state = [["Reactive", 0], ["Reactive", 1], {"a": 2, "b": [3]}, [3, 2, -1, 99]]
    for first in range(4):
        data = script([state[first], *state[1:]], "id=__NUXT_DATA__ type=application/json")
        assert thresher.extract(f"{TITLE}<body>{data}" + " " * 500).text == ""


def test_a_long_prompt_to_subscribe_follows_the_teaser():
    prompt = "Get unlimited access to all our stories and recipes for one Euro a week. " * 2
    teaser = TEASER.replace("Already a subscriber?", prompt)
    document = thresher.extract(f"{TITLE}{article(articleBody=TEXT)}<body>{teaser}")
    assert paragraphs(document) == SENTENCES
    assert "unlimited" not in document.text


def test_a_lead_that_says_how_the_text_begins_is_not_said_twice():
    first = SENTENCES[0].split()
    alike, other = (
        " ".join([*first[1:3], "then", *first[3:]]),
        "Nobody knew why they had come to it",
    )
    for lead, kept in ((alike, False), (other, True)):
        teaser = TEASER.replace("<p>", f"<p>{lead}.</p><p>", 1)
        document = thresher.extract(f"{TITLE}{article(articleBody=TEXT)}<body>{teaser}")
        assert document.status == "text from JSON-LD articleBody"
        assert (lead in document.text) == kept


def test_the_text_of_a_forum_post_and_of_a_question_with_its_answers():
    post = script({"@type": "DiscussionForumPosting", "headline": "Tea", "text": TEXT})
    assert paragraphs(thresher.extract(f"{TITLE}{post}<body>{TEASER}")) == SENTENCES
    question = {
        "@type": "QAPage",
        "mainEntity": {
            "@type": "Question",
            "name": "Tea at the gate",
            "text": "\n".join(SENTENCES[:2]),
            "acceptedAnswer": {"@type": "Answer", "text": SENTENCES[2]},
            "suggestedAnswer": [{"text": SENTENCES[3]}, {"text": SENTENCES[4]}, "?", None],
        },
    }
    document = thresher.extract(f"{TITLE}{script(question)}<body>{TEASER}")
    assert document.status == "text from JSON-LD text"
    assert paragraphs(document) == SENTENCES


def pieces(sentence: str) -> dict[str, object]:
    first, second, rest = sentence.split(" ", 2)
    link = {"type": "link", "children": [{"text": second}]}
    return {"type": "p", "children": [{"text": f"{first} "}, link, {"text": f" {rest}"}]}


def pushed(flight: str) -> str:
    return f"<script>self.__next_f.push([1,{json.dumps(flight)}])</script>"


STORY = {"title": "Tea at the gate", "body": HTML}
OTHER = {"title": "Coffee", "body": "Nobody likes coffee as it was made there. " * 40}
STATE = {"props": {"page": {"story": STORY, "related": [OTHER]}, "none": None}}


@pytest.mark.parametrize(
    ("scripts", "source"),
    [
        (script(STATE, "id=__NEXT_DATA__ type=application/json"), "__NEXT_DATA__ body"),
        (
            script(
                {"story": {**STORY, "body": [pieces(one) for one in SENTENCES]}},
                "id=__NEXT_DATA__ type=application/json",
            ),
            "__NEXT_DATA__ text",
        ),
        (
            script(
                [["Reactive", 1], {"title": 2, "body": 3}, "Tea at the gate", TEXT],
                "id=__NUXT_DATA__ type=application/json",
            ),
            "__NUXT_DATA__ body",
        ),
        (
            f"<script>window.__INITIAL_STATE__ = {json.dumps(STATE)}; f()</script>".replace(
                "null", "undefined"
            ),
            "__INITIAL_STATE__ body",
        ),
        (
            f"<script>window['__APOLLO_STATE__']=JSON.parse({json.dumps(json.dumps(STATE))})"
            "</script>",
            "__APOLLO_STATE__ body",
        ),
        (article(articleBody=TEXT), "JSON-LD articleBody"),
        (
            script(
                {"post": {"title": {"rendered": "Tea at the gate"}, "content": {"rendered": HTML}}},
                "type=application/json id=state",
            ),
            "state rendered",
        ),
        (f"<script>var appState = {json.dumps(STATE)};</script>", "appState body"),
        (
            f"<div id=other data-page='{escape(json.dumps(STATE))}'></div><script></script>",
            "data-page body",
        ),
        (
            script({"status": 200, "body": json.dumps(STATE)}, "type=application/json id=a"),
            "a body",
        ),
        (pushed(f"0:{json.dumps(['$', 'p', None, STATE])}\n"), "__next_f body"),
        (
            pushed('0:["$","div",null,{"children":"Loading"}]\n')
            + pushed(f"1a:T{len(HTML.encode()):x},{HTML}2:null\n"),
            "__next_f text",
        ),
        (
            pushed('3:"$Sreact.fragment"\n0:')
            + pushed(
                json.dumps(
                    [
                        "$",
                        "main",
                        None,
                        {
                            "title": "Tea at the gate",
                            "children": [
                                ["$", "p", None, {"children": sentence}] for sentence in SENTENCES
                            ],
                        },
                    ]
                )
            ),
            "__next_f children",
        ),
        # the only HTML, without a title beside it
        (script({"page": {"slug": "tea", "html": HTML}}, "type=application/json id=s"), "s html"),
        (
            script({"a": HTML.replace("<", "&lt;").replace(">", "&gt;")}, "type=application/json"),
            "JSON script a",
        ),
    ],
)
def test_a_page_without_text_has_that_of_its_state(scripts, source):
    document = thresher.extract(f"{TITLE}<body><div id=app>Loading</div>{scripts}")
    assert document.status == f"text from {source}"
    assert document.text.split("\n\n") == SENTENCES
    assert document.title == "Tea at the gate"


@pytest.mark.parametrize(
    "page",
    [
        # the page shows the text
        f"{TITLE}{article(articleBody=TEXT)}<main><h1>Tea at the gate</h1>{HTML}</main>",
        # the text is not that of the page
        TITLE + script({"@type": "Article", "articleBody": "Coffee is warm. " * 60}) + TEASER,
        # an empty page with another title
        f"<title>Coffee</title><body><div id=app></div>{article(articleBody=TEXT)}",
        # addresses and names are no text
        f"{TITLE}<body>"
        + script(
            {"title": "Tea at the gate", "images": [{"url": f"/a/b/{i}.jpg"} for i in range(99)]},
            "type=application/json",
        ),
        # two texts in HTML, and no title beside them
        f"{TITLE}<body>"
        + script([{"html": HTML}, {"html": HTML[:-20] + "in May.</p>"}], "type=application/json"),
        # a notice
        f"{TITLE}<body>"
        + script({"html": HTML + "<p>Cookies and privacy.</p>"}, "type=application/json"),
        # a text that is hardly longer
        f"{TITLE}{article(articleBody=SENTENCES[0])}<body>{TEASER}",
    ],
)
def test_other_pages_stay_as_they_are(page):
    document = thresher.extract(page)
    assert not document.data_source
    assert document.page.source == page
    selection = thresher.methods.get("default")(document.page)
    assert (document.selection.keep == selection.keep).all()


@pytest.mark.parametrize(
    "broken",
    [
        "[" * 100_000 + '"articleBody"' + "]" * 100_000,
        '{"a":' * 100_000 + '"articleBody"',
        '{"articleBody": ' + json.dumps(TEXT)[:-1],
        '{"@type": 3, "articleBody": {"@value": [1, {}, null]}, "text": 4}' + " " * 500,
        '{"@type": "Question", "text": [[]], "acceptedAnswer": 7}' + " " * 500,
        json.dumps({"headline": ["x"], "articleBody": "\ud800 " + TEXT[:90]}),
    ],
)
@pytest.mark.parametrize("kind", ["application/ld+json", "application/json"])
def test_broken_data_is_left_alone(broken, kind):
    document = thresher.extract(f"{TITLE}<script type={kind}>{broken}</script><body>{TEASER}")
    assert not document.data_source
    assert "text from" not in document.status


def test_a_lone_surrogate_in_a_text():
    document = thresher.extract(
        f"{TITLE}{article(articleBody=TEXT.replace('kettle', chr(0xD800)))}"
        f"<body>{TEASER.replace('The kettle', 'The')}"
    )
    assert document.data_source
    document.text.encode()


def test_positions_places_and_copies():
    document = thresher.extract(f"{TITLE}{article(articleBody=TEXT)}<body>{TEASER}")
    assert {block["line"] for block in document.to_dict(fields="blocks")["blocks"]} == {None}
    first = next(block for block in document.blocks if block.text == SENTENCES[0])
    assert first.source == SENTENCES[0]  # of the page with the text in it
    hidden = hide_in_place(document.selection)
    assert hidden.index("men at the gate") < hidden.index("Subscribe to read on")
    again = pickle.loads(pickle.dumps(document))
    assert (again.text, again.status) == (document.text, document.status)


@pytest.mark.parametrize("method", ["bte", "plain"])
def test_other_methods_choose_from_what_the_page_shows(method):
    page = f"{TITLE}{article(articleBody=TEXT)}<body>{TEASER}"
    assert "carried out" not in thresher.extract(page, method=method).text


def test_time_grows_with_the_data():
    def seconds(times: int) -> float:
        state = {"a": [{"b": [{"text": word} for word in TEXT.split()]} for _ in range(times)]}
        page = f"{TITLE}<body><p>Loading</p>{script(state, 'type=application/json')}"
        begin = time.process_time()
        thresher.extract(page)
        return time.process_time() - begin

    few, many = (min(seconds(times) for _ in range(3)) for times in (200, 1600))
    assert many < 8 * 4 * few


def _of_questions(kind: str, entity: str) -> str:
    data = f'{{"@context": "https://schema.org", "@type": "{kind}", "mainEntity": {entity}}}'
    script = f'<script type="application/ld+json">{data}</script>'
    return f"<title>Kettles</title>{script}<body><div id=root></div>"


def test_questions_of_an_empty_page():
    entity = (
        '[{"@type": "Question", "name": "When is the kettle quiet?", "acceptedAnswer": {"@type": '
        '"Answer", "text": "<p>From six in the morning until ten at night.</p>"}}, {"@type": '
        '"Question", "name": "May I buy it?", "acceptedAnswer": {"@type": "Answer", "text": "No, '
        'because my aunt needs it every day."}}]'
    )
    document = thresher.extract(_of_questions("FAQPage", entity))
    assert document.status == "text from JSON-LD questions"
    assert document.text == (
        "When is the kettle quiet?\n\nFrom six in the morning until ten at night.\n\n"
        "May I buy it?\n\nNo, because my aunt needs it every day."
    )


def test_a_question_of_an_empty_page():
    entity = (
        '{"@type": "Question", "name": "Is it quiet?", "text": "I have a kettle that whistles in '
        'the night.", "acceptedAnswer": {"@type": "Answer", "text": "Take the whistle off."}, '
        '"suggestedAnswer": [{"@type": "Answer", "text": "Sleep in another room."}]}'
    )
    text = thresher.extract(_of_questions("QAPage", entity)).text
    assert text.splitlines()[::2] == [
        "Is it quiet?",
        "I have a kettle that whistles in the night.",
        "Take the whistle off.",
        "Sleep in another room.",
    ]


def test_the_state_of_nuxt_in_a_function():
    said = "<p>" + "The kettle was repaired last year, and it is quiet now. " * 5 + "</p>"
    state = '{data:[{article:{id:a,body:c,draft:b,rate:.5,"of":[d,void 0]}}],error:null}'
    arguments = f"12,false,{json.dumps(said * 2)},-1.5e3"
    script = f"window.__NUXT__=(function(a,b,c,d){{return {state}}}({arguments}));"
    document = thresher.extract(f"<title>Kettles</title><body><script>{script}</script>")
    assert document.status == "text from __NUXT__ body"
    assert document.text.count("quiet now") == 10
    long = script.replace("id:a", "id:" + "c,x:" * 50_000 + "a").replace("quiet", "quiet" * 200)
    assert thresher.extract(f"<title>Kettles</title><body><script>{long}</script>").text == ""


SHOP = "<title>Green tea of the hills - Tea shop</title><body>{}"
SHOWN = (
    "<main><h1>Green tea of the hills</h1><p>This tea grows high above the sea, where nights are "
    "cold. It is picked by hand in the second week of April, and sold in tins.</p></main>"
)
STATES = {"next": "id=__NEXT_DATA__ type=application/json", "plain": "type=application/json"}


@pytest.mark.parametrize("attributes", STATES.values(), ids=STATES)
@pytest.mark.parametrize("key", ["help", "privacy", "text"])
@pytest.mark.parametrize(
    "shown",
    [
        SHOWN,
        "<main><h1>Green tea of the hills</h1><p>Sold out until the spring of next year.</p>",
        "<main><h1>Page not found</h1><p>There is no such page.</p></main>",
    ],
)
def test_what_a_page_says_is_not_replaced_by_other_data(shown, key, attributes):
    page = SHOP.format(shown + script({"part": {key: HTML}}, attributes))
    document = thresher.extract(page)
    assert not document.data_source
    assert "kettle" not in document.text


def test_the_title_does_not_make_up_for_a_text_that_says_something_else():
    about = {"@type": "Article", "headline": "Green tea of the hills", "articleBody": TEXT}
    assert not thresher.extract(SHOP.format(script(about) + SHOWN)).data_source
    lead = SHOWN.replace(" It is picked by hand in the second week of April, and sold in tins.", "")
    assert thresher.extract(SHOP.format(script(about) + lead)).data_source


@pytest.mark.parametrize(
    "notice",
    ["", "<p>Loading</p>", "<p>You need to enable JavaScript to run this app, which is new.</p>"],
)
@pytest.mark.parametrize(
    ("state", "attributes"),
    [
        ({"footer": {"html": HTML}}, STATES["next"]),
        ({"privacyPolicy": [{"body": HTML}]}, STATES["plain"]),
        ({"html": HTML}, "type=application/json id=cookie-banner"),
        (
            [{"data": 1, "site_footer": 2}, {"a": 3}, {"html": 4}, "Tea", HTML],
            "id=__NUXT_DATA__ type=application/json",
        ),
    ],
)
def test_legal_texts_are_never_the_text_of_a_page(state, attributes, notice):
    page = SHOP.format(f"<div id=app>{notice}</div>{script(state, attributes)}")
    assert not thresher.extract(page).data_source
    other = json.loads(json.dumps(state).replace("rivacyPolicy", "lan").replace("footer", "page"))
    document = thresher.extract(
        SHOP.format(f"<div id=app>{notice}</div>")
        + script(other, attributes.replace("cookie-banner", "state"))
    )
    assert paragraphs(document) == SENTENCES


def test_the_footer_of_next_is_no_text():
    elements = [["$", "p", None, {"children": one}] for one in SENTENCES]
    for name, found in (("footer", []), ("main", SENTENCES)):
        row = ["$", name, None, {"title": "Tea at the gate", "children": elements}]
        page = f"{TITLE}<body><div></div>{pushed('0:' + json.dumps(row))}"
        assert paragraphs(thresher.extract(page)) == found


def test_a_page_with_the_title_of_a_legal_text_has_that_text():
    state = script({"terms": {"html": HTML}}, STATES["next"])
    page = f"<title>Terms of the tea house</title><body><div id=app></div>{state}"
    assert paragraphs(thresher.extract(page)) == SENTENCES


def test_questions_are_taken_only_where_the_page_says_little_else():
    answers = [
        {"@type": "Question", "name": f"What of {number}?", "acceptedAnswer": {"text": sentence}}
        for number, sentence in zip(("one", "two", "three"), SENTENCES, strict=False)
    ]
    data = script({"@type": "FAQPage", "mainEntity": answers})
    listed = "".join(f"<h3>{answer['name']}</h3>" for answer in answers)
    for shown, is_taken in ((SHOWN, False), ("", True), (f"<main>{listed}</main>", True)):
        assert bool(thresher.extract(SHOP.format(data + shown)).data_source) == is_taken


def apollo(order: list[int]) -> dict[str, object]:
    named = {
        f"Paragraph:{at}": {"__typename": "Paragraph", "text": SENTENCES[at], "type": "P"}
        for at in order
    }
    references = [{"__ref": f"Paragraph:{at}"} for at in range(len(SENTENCES))]
    post = {"__typename": "Post", "title": "Tea at the gate", "content": {"paragraphs": references}}
    return {"Post:1": post, **named}


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [4, 2, 0, 1, 3]])
def test_the_paragraphs_of_apollo_are_in_the_order_of_their_references(order):
    code = f"window.__APOLLO_STATE__={json.dumps(apollo(order))}"
    found = thresher.extract(f"{TITLE}<div id=root></div><script>{code}</script>")
    assert paragraphs(found) == SENTENCES


def test_references_of_apollo_in_a_circle_end():
    objects = {
        f"A:{at}": {"__typename": "A", "next": {"__ref": f"A:{(at + 1) % 2000}"}, "text": TEXT}
        for at in range(2000)
    }
    code = f"window.__APOLLO_STATE__={json.dumps(objects)}"
    started = time.process_time()
    thresher.extract(f"{TITLE}<div id=root></div><script>{code}</script>")
    assert time.process_time() - started < 10


def test_the_content_of_arc():
    elements = [{"type": "text", "content": sentence} for sentence in SENTENCES]
    content = {"headlines": {"basic": "Tea at the gate"}, "content_elements": elements}
    code = (
        'window.Fusion=window.Fusion||{};Fusion.arcSite="paper";'
        f"Fusion.globalContent={json.dumps(content)};"
    )
    found = thresher.extract(f"{TITLE}<div id=fusion-app></div><script>{code}</script>")
    assert paragraphs(found) == SENTENCES


# --- other kinds of data -------------------------------------------------------------------------

POST = {"title": "Tea at the gate", "body": HTML}
QUOTED = json.dumps({"post": POST}).replace("\\", "\\\\").replace("'", "\\'")
SHELL = "<div id=app></div><script src=app.js></script>"
ENCODED = b64encode(json.dumps(POST).encode()).decode()
STREAM = [{"_1": 2}, "post", {"_3": 4, "_5": 6}, "title", "Tea at the gate", "body", HTML]
ELEMENTS = [["$", "p", None, {"children": sentence}] for sentence in SENTENCES]
FLIGHT = [
    "$",
    "div",
    None,
    {"children": [["$", "h1", None, {"children": "Tea at the gate"}], ELEMENTS]},
]


@pytest.mark.parametrize(
    ("data", "source"),
    [
        (f"<script>window.__STATE__ = JSON.parse('{QUOTED}');</script>", "__STATE__ body"),
        (
            f"<script>window.__S__=JSON.parse(decodeURIComponent('{quote(json.dumps(POST))}'))</script>",
            "__S__ body",
        ),
        (
            f"<script>var appState = JSON.parse(atob('{ENCODED}'))</script>",
            "appState body",
        ),
        (
            "<script>window.__STATE__={post:{title:'Tea at the gate',body:'"
            + HTML.replace("gate", "g\\x61te")
            + "',more:undefined,n:.5}};</script>",
            "__STATE__ body",
        ),
        (
            "<script>Promise.all([a]).then(([kit,app])=>{kit.start(app,element,{node_ids:[0, 2],"
            'data:[null,{type:"data",data:{post:{title:"Tea at the gate",body:'
            f"{json.dumps(HTML)}}}}}}}],form:null}})}})</script>",
            "SvelteKit body",
        ),
        (
            "<script>window.__reactRouterContext.streamController.enqueue("
            + json.dumps(json.dumps(STREAM))
            + ");</script>",
            "React Router body",
        ),
        (
            "<script id=serverApp-state type=application/json>"
            + json.dumps(POST).replace('"', "&q;").replace("<", "&l;").replace(">", "&g;")
            + "</script>",
            "serverApp-state body",
        ),
        (
            script({"r": POST}, "type='fastboot/shoebox' id=shoebox"),
            "shoebox body",
        ),
        (
            "<script>self.__next_f.push([1,"
            + json.dumps(f"0:{json.dumps(FLIGHT)}\n")
            + "])</script>",
            "__next_f children",
        ),
        (
            f"<div data-react-props='{escape(json.dumps({'post': POST}))}'></div>",
            "data-react-props body",
        ),
        (
            "<astro-island props='"
            + escape(json.dumps({"post": [0, {key: [0, value] for key, value in POST.items()}]}))
            + "'></astro-island>",
            "props body",
        ),
        (
            "<astro-island props='"
            + escape(
                json.dumps({"title": [0, POST["title"]], "texts": [1, [[0, s] for s in SENTENCES]]})
            )
            + "'></astro-island>",
            "props texts",
        ),
        (f"<iframe srcdoc='{escape(HTML)}'></iframe>", "<iframe srcdoc>"),
        (f"<template>{HTML}</template>", "<template>"),
        (f"<script type=text/html>{HTML}</script>", "a template"),
        (
            script({"@type": "JobPosting", "title": "Tea at the gate", "description": HTML}),
            "JSON-LD description",
        ),
        (
            script({"@type": "VideoObject", "name": "Tea at the gate", "transcript": TEXT}),
            "JSON-LD transcript",
        ),
        (f"<meta itemprop=articleBody content='{escape(TEXT)}'>", "microdata articleBody"),
    ],
)
def test_other_data_of_an_empty_page(data, source):
    document = thresher.extract(f"{TITLE}<body>{SHELL}{data}")
    assert document.status == f"text from {source}"
    assert "".join(paragraphs(document)) == "".join(SENTENCES)


@pytest.mark.parametrize(
    "data",
    [
        f"<iframe srcdoc='{escape(HTML)}'></iframe>",
        f"<template>{HTML}</template>",
        script({"@type": "Product", "name": "Tea at the gate", "description": HTML}),
        f"<meta itemprop=articleBody content='{escape(TEXT)}'>",
    ],
)
def test_such_data_are_not_for_pages_that_show_text(data):
    shown = "".join(f"<p>{sentence} So it was told.</p>" for sentence in SENTENCES)
    document = thresher.extract(f"{TITLE}<body><main><h1>Tea at the gate</h1>{shown}</main>{data}")
    assert document.status == "complete"


def test_templates_to_fill_are_no_text():
    filled = HTML.replace("Anna", "{{ name }}")
    assert thresher.extract(f"{TITLE}<body>{SHELL}<template>{filled}</template>").text == ""


def test_headings_of_markdown_in_a_state():
    body = f"# The pot\n\n{TEXT}\n\n## After dark ##\n\n{SENTENCES[0]}"
    data = script({"post": {**POST, "body": body}}, "id=state type=application/json")
    text = thresher.extract(f"{TITLE}<body>{SHELL}{data}").markdown()
    assert "\n## After dark\n" in text
    assert "##\n" not in text


@pytest.mark.parametrize(
    "unit",
    [
        "\\'",
        '\\"',
        "`a",
        "\\`",
        "`${",
        "'\\\n",
        "## ",
        "{a:",
        "['",
        "'\\\\",
        "[1,[",
        "{_1:2},",
        '"&q;',
        "kit.start({node_ids:[0],data:",
    ],
)
@pytest.mark.parametrize("begin", ["window.__S__={", "window.__S__=JSON.parse(atob('", "node_ids "])
def test_odd_states_take_linear_time(begin, unit):
    def made(number):
        return f"{TITLE}<body>{SHELL}<script>{begin}{unit * number}</script>"

    assert_linear(lambda html: thresher.extract(html).text, made, 1_000)
