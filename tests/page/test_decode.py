"""Charsets: byte order mark, argument, `<meta>`, detection, in this order."""

import codecs
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.growth import assert_linear
from thresher import UsageError, parse
from thresher.page.decode import decode

RUSSIAN = (
    "<p>Чай следует заваривать водой, снятой с огня за минуту до кипения. Сначала прогрейте "
    "чайник, затем насыпьте две ложки листа и залейте их до половины.</p>"
    "<p>Через три минуты долейте воду доверху и накройте чайник полотенцем. Пейте без сахара, "
    "чтобы почувствовать вкус, и не оставляйте листья в воде надолго.</p>"
    "<p>Второй раз тот же лист даёт более светлый настой, но его аромат бывает тоньше.</p>"
)
CHINESE = (
    "<p>泡茶的水不必完全沸腾，离火一分钟以后再倒进茶壶里最好。先用热水温一温茶壶，再放入两勺茶叶。</p>"
    "<p>三分钟以后就可以喝了。第一次喝的时候不要加糖，这样才能尝到茶叶本来的味道。</p>"
    "<p>同样的茶叶可以再泡一次，颜色会浅一些，香气却更加细腻。喝完以后把茶壶洗干净，放在通风的地方。</p>"
)
TRADITIONAL = (
    "<p>泡茶的水不必完全沸騰，離火一分鐘以後再倒進茶壺裡最好。先用熱水溫一溫茶壺，再放入兩勺茶葉。</p>"
    "<p>三分鐘以後就可以喝了。第一次喝的時候不要加糖，這樣才能嚐到茶葉本來的味道。</p>"
)
GREEK = (
    "<p>Το νερό για το τσάι δεν πρέπει να βράζει όταν το ρίχνουμε στην τσαγιέρα. Πρώτα ζεσταίνουμε "
    "την τσαγιέρα και ύστερα βάζουμε δύο κουταλιές φύλλα.</p>"
    "<p>Μετά από τρία λεπτά το τσάι είναι έτοιμο. Καλύτερα να το πιείτε χωρίς ζάχαρη, για να "
    "καταλάβετε τη γεύση του, και να μην αφήσετε τα φύλλα μέσα στο νερό.</p>"
)
JAPANESE = (
    "<p>お茶をいれるときは、沸騰したお湯を少し冷ましてから急須に注ぎます。まず急須を温めて、茶葉を二杯入れてください。</p>"
    "<p>三分ほど待てば飲みごろです。最初は砂糖を入れずに、お茶そのものの味を楽しみましょう。</p>"
    "<p>同じ茶葉でもう一度いれると、色は薄くなりますが、香りはいっそう繊細になります。</p>"
)
KOREAN = (
    "<p>차를 우릴 때는 끓인 물을 조금 식힌 다음 주전자에 부어야 합니다. "
    "먼저 주전자를 따뜻하게 데우고 찻잎을 두 숟가락 넣으세요.</p>"
    "<p>삼 분쯤 기다리면 마시기에 알맞습니다. "
    "처음에는 설탕을 넣지 말고 차의 맛을 그대로 느껴 보세요.</p>"
    "<p>같은 찻잎으로 한 번 더 우리면 색은 옅어지지만 향은 더욱 섬세해집니다.</p>"
)
ARABIC = (
    "<p>يجب ألا يكون الماء في حالة غليان عندما نصبه فوق الشاي. نسخن الإبريق أولا ثم نضع فيه "
    "ملعقتين من أوراق الشاي ونسكب الماء حتى المنتصف.</p>"
    "<p>بعد ثلاث دقائق يصبح الشاي جاهزا للشرب. من الأفضل أن تشربه من غير سكر حتى تعرف طعمه "
    "الحقيقي، ولا تترك الأوراق في الماء وقتا طويلا.</p>"
)
FRENCH = (
    "<p>L'eau du thé ne doit pas bouillir : on la retire du feu une minute avant de la verser. La "
    "théière est d'abord réchauffée, puis on y met deux cuillerées de feuilles séchées.</p>"
    "<p>Après trois minutes, le thé est prêt. Goûtez-le sans sucre, et ne laissez pas les feuilles "
    "infuser trop longtemps, même à la fin d'une journée d'été.</p>"
)


# --- detection -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "charset"),
    [
        (RUSSIAN, "windows-1251"),
        (CHINESE, "gb18030"),
        (GREEK, "iso-8859-7"),
        (JAPANESE, "shift_jis"),
        (KOREAN, "euc-kr"),
        (ARABIC, "windows-1256"),
        (RUSSIAN, "koi8-r"),
        (TRADITIONAL, "big5"),
        (JAPANESE, "euc-jp"),
        (RUSSIAN, "utf-8"),
        (CHINESE, "utf-8"),
        (FRENCH, "utf-8"),
        (FRENCH, "iso-8859-1"),
    ],
)
def test_detection_without_any_declaration(html, charset):
    page = parse(html.encode(charset))
    assert page.source == html


# --- declared ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "meta",
    [
        "<meta charset=windows-1251>",
        '<META CHARSET="WINDOWS-1251">',
        "<meta charset = 'cp1251' >",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        "<meta content='text/html;charset=windows-1251' http-equiv=Content-Type>",
        "<meta\n charset=windows-1251 />",
        "<!-- <meta charset=utf-8> --><meta charset=windows-1251>",
        "<script>" + " " * 3_000 + "</script><meta charset=windows-1251>",
    ],
)
def test_meta(meta):
    page = parse((meta + "<p>чай").encode("windows-1251"))
    assert page.texts[-1] == "чай"
    assert page.charset in ("windows-1251", "cp1251")


def test_letters_that_a_user_defines_are_western():
    page = parse("<meta charset=x-user-defined><p>tea “hot” in the café".encode("windows-1252"))
    assert (page.texts[-1], page.charset) == ("tea “hot” in the café", "windows-1252")


@pytest.mark.parametrize(
    "meta",
    [
        "<!-- <meta charset=shift_jis> -->",
        "<meta charset=no-such-charset>",
        "<meta charset=utf-16>",
        "<meta charset=UTF-16LE>",
        "<meta charset=''>",
        "<meta charset>",
    ],
)
def test_meta_that_cannot_be_true(meta):
    page = parse((meta + RUSSIAN).encode("utf-8"))
    assert page.charset == "utf-8"
    assert page.source == meta + RUSSIAN


def test_meta_beats_detection():
    page = parse(("<meta charset=windows-1254><p>" + "dað " * 20).encode("windows-1252"))
    assert page.charset == "windows-1254"
    assert page.texts[0] == "dağ " * 20  # as the page asked: no byte is wrong in it


def test_latin_1_means_windows_1252():
    # https://encoding.spec.whatwg.org/#names-and-labels
    page = parse(b"<meta charset=iso-8859-1><p>\x93tea\x94")
    assert page.texts[-1] == "\u201ctea\u201d"


# --- argument and mark ---------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["windows-1251", "Windows-1251", "cp1251", " cp1251 "])
def test_the_argument_beats_meta(label):
    page = parse("<meta charset=utf-8><p>чай".encode("windows-1251"), charset=label)
    assert page.texts[-1] == "чай"


@pytest.mark.parametrize(
    ("mark", "charset"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ],
)
def test_the_mark_beats_argument_and_meta(mark, charset):
    page = parse(mark + "<meta charset=shift_jis><p>чай".encode(charset), charset="windows-1251")
    assert page.texts[-1] == "чай"
    assert page.charset == charset
    assert page.source.startswith("<meta")


def test_an_unknown_argument_is_refused():
    with pytest.raises(
        UsageError, match=r"unknown charset 'klingon': leave it out to have it detected"
    ):
        parse(b"<p>tea", charset="klingon")


def test_a_str_needs_no_charset():
    assert parse("<meta charset=shift_jis><p>чай").charset is None
    assert parse("\ufeff<p>чай").source == "<p>чай"


# --- bytes that do not fit -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "charset", ["utf-8", "shift_jis", "euc-kr", "gb18030", "big5", "iso-2022-jp", "utf-16le"]
)
def test_invalid_bytes_are_replaced(charset):
    page = parse(b"<p>tea \xff\xff\x80\xfe\n</p>" * 2, charset=charset)
    assert "\ufffd" in page.source or charset in ("utf-16le", "gb18030", "iso-2022-jp")
    assert page.status


@given(
    st.binary(max_size=200),
    st.sampled_from([None, "utf-8", "gb18030", "iso-2022-jp", "utf-16be", "x-user-defined"]),
)
def test_no_bytes_raise(data, charset):
    page = b"<!DOCTYPE html><meta charset=iso-2022-kr>"
    assert parse(page + data, charset=charset).status
    assert parse(page + data).status


@given(st.text(alphabet="абвгд \n茶é", min_size=1))
def test_utf_8_round_trips(text):
    page = parse(("<p>" + text).encode(), charset="utf-8")
    assert page.source == "<p>" + text


def test_a_cut_inside_a_character_does_not_garble_the_page():
    data = ("<p>" + "été à la plage, très bien " * 100).encode()
    for limit in range(95, 105):
        page = thresher.parse(data, limits=thresher.Limits(bytes=limit))
        assert "été à la plage" in page.text(int(page.text_rows[0]))


def test_one_stray_byte_does_not_garble_the_page():
    data = ("<p>" + "été à la plage, très bien " * 10).encode() + b"\xff"
    assert "été" in thresher.parse(data).all().text()


@pytest.mark.parametrize(
    "head",
    [
        b'<meta name=description content="the charset=koi8-r thing">',
        b'<script>"<meta charset=koi8-r>"</script>',
    ],
)
def test_only_a_real_meta_counts(head):
    assert "привет" in thresher.parse(head + "<p>привет, мир".encode()).all().text()


@pytest.mark.parametrize("label", ["utf-16-le", "latin-1", "cp932"])
def test_names_that_people_use(label):
    text = "<p>one"
    assert thresher.parse(text.encode(label), charset=label).all().text() == "one"


def test_an_unknown_charset_is_told_for_str_too():
    with pytest.raises(thresher.UsageError, match="unknown charset"):
        thresher.parse("<p>one", charset="bogus")


def test_a_meta_that_contradicts_the_bytes_is_not_believed():
    source = "<meta charset=windows-1251><p>Привет, мир</p>"
    page = thresher.parse(source.encode("utf-8"))
    assert page.charset == "utf-8"
    assert "Привет" in page.all().text()
    assert thresher.parse(source.encode("windows-1251")).charset == "windows-1251"
    assert thresher.parse(source.encode("utf-8"), charset="windows-1251").charset == "windows-1251"


# --- declared, but wrong -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "charset"),
    [
        ("<p>Вскипятите воду и налейте её в чайник.", "windows-1251"),
        ("<p>Вскипятите воду и налейте её в чайник.", "koi8-r"),
        ("<p>Les élèves sont là.", "windows-1252"),
        (RUSSIAN, "iso-8859-5"),
        (GREEK, "iso-8859-7"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        (CHINESE, "gb18030"),
        (TRADITIONAL, "big5"),
        (KOREAN, "euc-kr"),
        (ARABIC, "windows-1256"),
    ],
)
@pytest.mark.parametrize("declared", ["utf-8", "UTF-8"])
def test_a_charset_that_gives_replacement_characters_is_detected_again(html, charset, declared):
    source = f"<meta charset={declared}>{html}"
    assert parse(source.encode(charset)).source == source


def test_western_is_not_believed_of_words_without_latin_letters():
    source = "<meta charset=iso-8859-1>" + RUSSIAN
    assert parse(source.encode("windows-1251")).source == source
    french = "<meta charset=iso-8859-1>" + FRENCH
    assert parse(french.encode("windows-1252")).charset == "iso-8859-1"


def test_utf_8_with_a_few_broken_bytes_stays_utf_8():
    data = ("<meta charset=utf-8>" + FRENCH).encode() + b"<p>It\x92s a caf\xe9s, cut \xc3</p>"
    page = parse(data)
    assert page.charset == "utf-8"
    assert page.source.endswith("<p>It’s a cafés, cut \ufffd</p>")
    assert FRENCH in page.source


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"un caf\xe9 noir", "un café noir"),
        (b"un caf\xe9, noir", "un café, noir"),
        (b"LE CAF\xc9 NOIR", "LE CAFÉ NOIR"),
        (b"il va \xe0 Paris", "il va à Paris"),
        ("d’".encode() + b"\xe9cole", "d’école"),
        (b"\x93" + "Été".encode() + b"\x94, \x80 5", "“Été”, € 5"),
        (b"cut caf\xc3...", "cut caf\ufffd..."),
        (b"cut it\xe2 and \xe4...", "cut it\ufffd and \ufffd..."),
        (b"\xff\xff\xe9\xe8 of no text", "\ufffd\ufffd\ufffd\ufffd of no text"),
    ],
)
def test_single_bytes_in_utf_8_are_read_as_windows_1252(data, text):
    page = parse(("<meta charset=utf-8>" + FRENCH).encode() + b"<p>" + data + b"</p>")
    assert page.source.endswith(f"<p>{text}</p>")
    assert FRENCH in page.source


def test_the_xml_declaration_names_the_charset():
    source = '<?xml version="1.0" encoding="windows-1251"?><p>чай'
    assert parse(source.encode("windows-1251")).texts[-1] == "чай"


@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("html", [RUSSIAN, CHINESE, "<p>Hot tea", "<p>чай"])
def test_utf_16_and_32_without_a_mark(html, charset):
    page = parse(html.encode(charset))
    assert (page.source, page.charset) == (html, charset)


@pytest.mark.parametrize(
    "data",
    [
        b"<meta " * 2_700,
        b"<!--" * 4_000,
        b"<script>" * 2_000,
        b"<meta charset=" + b" " * 16_000,
        b"<meta name" + b" " * 16_000,
    ],
)
def test_looking_for_a_charset_takes_linear_time(data):
    begin = time.process_time()
    decode(data + "чай".encode())
    assert time.process_time() - begin < 0.05


@pytest.mark.parametrize("label", ["windows-1251", "windows-1252", "gbk", "utf-8", "mac_greek"])
@pytest.mark.parametrize("unit", [b"a", b"\xe9", b"a\xe9", b"<p>" + b"\xe9" * 9, b"\x84a"])
def test_doubting_a_charset_takes_linear_time(label, unit):
    assert_linear(lambda data: decode(data, None), lambda n: _declared(label, unit, n), 20_000)


def _declared(label: str, unit: bytes, number: int) -> bytes:
    return f"<meta charset={label}><p>\xe9".encode("latin-1") + unit * number


# --- mending -------------------------------------------------------------------------------------


@pytest.mark.parametrize("control", ["It\x92s \x93tea\x94\x85", b"It\x92s \x93tea\x94\x85"])
def test_c1_controls_are_windows_1252(control):
    text = "<p>" + control if isinstance(control, str) else b"<p>" + control
    assert parse(text).texts[-1] == "It’s “tea”…"


def test_references_to_c1_controls_are_windows_1252():
    assert parse("<p>It&#146;s &#x93;tea&#148;").texts[-1] == "It’s “tea”"


@pytest.mark.parametrize(
    "hyphen", ["\xad", "&shy;", "&#173;", "&#xAD;", "&#0173;", "&#x00ad;", "&#173", "&#xad"]
)
def test_soft_hyphens_are_removed(hyphen):
    html = (
        f"<title>Tea{hyphen} pots</title><h1>Tea{hyphen} pots</h1>"
        f"<p>Warm the tea{hyphen} pot before you pour, and let it stand."
    )
    document = thresher.extract(html, method="plain")
    assert "Tea pots" in document.text
    assert "Warm the tea pot before" in document.text
    for text in (document.text, document.markdown(), document.html(), document.title):
        assert "\xad" not in text
        assert "shy" not in text


def test_what_looks_like_a_soft_hyphen_is_kept():
    page = parse("<p>a\xadb &amp;shy; <a href='?a=1&shy=2'>c")
    assert page.texts[0] == "ab &shy; "
    assert page.attributes(int(page.is_link.argmax()))["href"] == "?a=1&shy=2"


@pytest.mark.parametrize("wrong", ["windows-1252", "latin-1"])
@pytest.mark.parametrize("html", [FRENCH, CHINESE, RUSSIAN])
def test_text_that_was_encoded_twice(html, wrong):
    twice = "".join(bytes([byte]).decode(wrong, "ignore") or chr(byte) for byte in html.encode())
    assert parse(twice).source == html
    assert parse(twice.encode()).source == html


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\xa0", " "),
        lambda text: text.replace("\x9d", "\ufffd"),
        lambda text: "".join(f"&#{ord(c)};" if ord(c) > 127 else c for c in text),
        lambda text: text.replace("Ã", "&Atilde;").replace("©", "&copy;"),
    ],
)
def test_text_that_was_encoded_twice_and_then_changed(change):
    html = "<p>Les élèves de l’école à Noël, “très bien”, dit-il."
    twice = "".join(
        bytes([byte]).decode("windows-1252", "ignore") or chr(byte) for byte in html.encode()
    )
    assert parse(change(twice)).source.split() == html.split()


def test_signs_that_were_encoded_twice_between_spaces():
    html = "<p>© 2024 — it costs € 12 or £ 10, that’s all: 30° – 40°."
    twice = "".join(
        bytes([byte]).decode("windows-1252", "ignore") or chr(byte) for byte in html.encode()
    )
    assert parse(twice).source == html


def test_russian_that_was_encoded_twice_by_way_of_windows_1251():
    twice = "".join(
        bytes([byte]).decode("windows-1251", "ignore") or chr(byte) for byte in RUSSIAN.encode()
    )
    assert parse(twice.encode()).source == RUSSIAN


@pytest.mark.parametrize(
    "html",
    [
        "<p>The name cafÃ© is shown for café, and rÃ©sumÃ© for résumé: fiancÃ©e, naÃ¯ve, Ã©lÃ¨ve.",
        "<p>What do <b>Ã©</b>, <b>Ã¨</b>, <b>Ã¢</b>, <b>Ã§</b>, <b>â€™</b> and <b>Ã¯</b> mean?",
        "<p>«СССР» и «КПСС», «МХАТ СССР», «РСФСР», «УССР» и «БССР» — сокращения",
        "<p>IRMÃ\u201d e MAÇÃ\u201d, IRMÃ\u201d, AMANHÃ\u201d, MANHÃ\u201d: não é coração à mão",
        RUSSIAN,
        FRENCH,
    ],
)
def test_text_that_was_encoded_once_is_left_alone(html):
    assert parse(html).source == html


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Les Ã©lÃ¨ves franÃ§ais sont lÃ\xa0.", "Les élèves français sont là."),
        ("FrÃ¼her war es schÃ¶n", "Früher war es schön"),
        ("It didnâ€™t rain, it wasnâ€™t warm", "It didn’t rain, it wasn’t warm"),
        ("Nous &Atilde;&copy;tions dix &agrave;&copy;", ""),
        ("Il Ã©tait trÃ¨s tard, voilà", ""),  # one letter is right
        ("«Voilà\xa0», dit-elle, et voilà\xa0»", ""),  # Samaritan letters otherwise
        ("Ã© and Ã¨", ""),  # not within words
        ("tea â\x80\x94 hot", "tea — hot"),
        ("a café â\x80\x94 hot", "a café — hot"),
    ],
)
def test_one_text_that_was_encoded_twice(wrong, right):
    around = "<title>Café Métropole</title><h1>Théâtre</h1><p>", "</p><p>Très bien, déjà vu."
    html = wrong.join(around)
    assert parse(html).source == (right or wrong).join(around)
    assert parse(html.encode()).source == (right or wrong).join(around)


def test_text_that_was_encoded_twice_is_kept_where_a_page_tells_of_charsets():
    html = "<h1>Théâtre à Orléans</h1><p>Read as UTF-8.<p>Les Ã©lÃ¨ves franÃ§ais"
    assert parse(html).source == html


def test_many_texts_that_were_encoded_twice_take_linear_time():
    around = "<title>Café Métropole à Orléans</title>"
    for part in ("<p>Ã©tÃ© &eacute;", "<p>Ã© ", ">Ã©", "&amp;Ã©"):
        assert parse(around + part * 20_000).source


def test_codecs_are_known_before_a_charset_was_ever_detected():
    program = (
        "import thresher\n"
        "page = thresher.parse('<meta charset=windows-1251><p>Чай'.encode('cp1251'))\n"
        "assert (page.charset, page.texts[-1]) == ('windows-1251', 'Чай')\n"
        "assert thresher.parse('<p>Thé '.encode() * 300 + bytes([233])).charset == 'utf-8'\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("text", ["Café is warm.", "It’s here", "5 €", "tea " * 90 + "naïve", "éé"])
@pytest.mark.parametrize("charset", ["windows-1252", "iso-8859-1", "windows-1251", "iso-8859-2"])
def test_one_letter_of_utf_8_is_enough_to_doubt_a_charset_of_single_bytes(text, charset):
    html = f'<meta charset="{charset}"><p>{text}'
    assert decode(html.encode()) == (html, "utf-8")


@pytest.mark.parametrize("text", ["Café is warm.", "It’s here", "5 €", "Caféé"])
@pytest.mark.parametrize("charset", ["gb2312", "shift_jis", "euc-kr", "big5", "euc-jp"])
def test_one_letter_of_utf_8_in_a_word_is_enough_to_doubt_a_charset_of_several_bytes(text, charset):
    html = f'<meta charset="{charset}"><p>{text}'
    assert decode(html.encode()) == (html, "utf-8")


@pytest.mark.parametrize(
    ("text", "charset"),
    [("茅", "gb2312"), ("Ні", "windows-1251"), ("日本", "shift_jis"), ("é", "windows-1252")],
)
def test_few_letters_in_the_declared_charset_that_may_be_utf_8(text, charset):
    html = f'<meta charset="{charset}"><p>{text}'
    assert decode(html.encode(charset)) == (html, charset)


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        ("Zażółć gęślą jaźń", "iso-8859-2"),
        ("Zażółć", "windows-1250"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy. Včera jsem byl v Praze.", "windows-1250"),
        ("Türkiye'de yaşayan insanların çoğu bugün şehirlerde yaşıyor.", "windows-1254"),
        ("Það er gott að búa á Íslandi, þar sem veðrið er ýmist kalt.", "iso-8859-1"),
        ("Han købte en rød bil på øen og læste om høns og søer", "iso-8859-1"),
        ("Così è più già lì lì lì lì. ¿Qué?", "iso-8859-1"),
    ],
)
def test_other_latin_letters_that_are_declared_western(text, charset):
    html = f'<meta charset="iso-8859-1"><p>{text}'
    assert decode(html.encode(charset)) == (html, charset)


@pytest.mark.parametrize("text", ["Świeżej łąki, Łódź i źrebię", "Příliš žluťoučký kůň"])
def test_windows_1250_that_is_declared_iso_8859_2(text):
    html = f'<meta charset="iso-8859-2"><p>{text}'
    assert decode(html.encode("windows-1250")) == (html, "windows-1250")
    assert decode(html.encode("iso-8859-2")) == (html, "iso-8859-2")
    quoted = html.encode("iso-8859-2") + b" \x84a\x94"
    assert decode(quoted) == (f"{html} \x84a\x94", "iso-8859-2")


WRONG_BYTES = [
    (JAPANESE, "cp932", b"\xff", "shift_jis"),
    (JAPANESE, "euc_jp", b"\xff", "euc-jp"),
    (JAPANESE, "euc_jp", b"\x80", "euc-jp"),
    (JAPANESE, "iso2022_jp", b"\xe9", "iso-2022-jp"),
    (CHINESE, "gb18030", b"\xff", "gbk"),
    (TRADITIONAL, "big5", b"\xff", "big5"),
    (KOREAN, "euc_kr", b"\xff", "euc-kr"),
    (GREEK, "cp1253", b"\xd2", "windows-1253"),
]


@pytest.mark.parametrize("declared", ["", "<meta charset=utf-8>", "<meta charset=iso-8859-1>"])
@pytest.mark.parametrize(("text", "codec", "byte", "charset"), WRONG_BYTES)
def test_one_wrong_byte_does_not_change_the_charset(text, codec, byte, charset, declared):
    data = f"{declared}<div>{text}</div>".encode(codec)
    for place in (data.index(b"<p>") + 3, data.rindex(b"</p>")):
        found, name = decode(data[:place] + byte + data[place:])
        assert name == charset
        assert text[-40:-10] in found or place < len(data) / 2


@pytest.mark.parametrize(
    ("text", "codec", "charset"),
    [
        (JAPANESE, "cp932", "shift_jis"),
        (JAPANESE, "euc_jp", "euc-jp"),
        (CHINESE, "gb18030", "gbk"),
        (TRADITIONAL, "big5", "big5"),
        (KOREAN, "euc_kr", "euc-kr"),
    ],
)
def test_a_page_that_is_cut_within_a_character(text, codec, charset):
    at = text.rindex("</p>") - 5
    data = text[:at].encode(codec) + text[at].encode(codec)[:1]
    found, name = decode(data)
    assert (name, found) == (charset, f"{text[:at]}\ufffd")


def test_wrong_bytes_of_a_long_page_take_linear_time():
    def page(size):
        return (CHINESE * size).encode("gb18030").replace("茶".encode("gb18030"), b"\xff", size)

    assert_linear(lambda data: decode(data), page, 50)


@pytest.mark.parametrize("charset", ["utf-8", "iso-2022-jp", "windows-1252"])
def test_escapes_of_iso_2022_jp(charset):
    html = f'<meta charset="{charset}"><p>日本語のページ</p>'
    assert decode(html.encode("iso-2022-jp")) == (html, "iso-2022-jp")


HARBOUR = "<p>Гавань города была перестроена, и люди, которые живут рядом: стало тише.</p>"
FRENCH = "<p>Le port a été rénové, et les gens qui habitent à côté disent que c’est très bien.</p>"
GERMAN = "<p>Für das schöne Gebäude wäre es später hübsch gewählt, größer und älter als früher.</p>"


@pytest.mark.parametrize("declared", ["", "windows-1251", "koi8-r", "utf-8"])
@pytest.mark.parametrize("codec", ["cp866", "koi8-r", "mac-cyrillic", "cp1251"])
def test_a_wrong_cyrillic_charset(declared, codec):
    html = (f"<meta charset={declared}>" if declared else "") + HARBOUR * 3
    assert "".join(parse(html.encode(codec)).texts) == HARBOUR[3:-4] * 3


@pytest.mark.parametrize("declared", ["", "iso-8859-1", "utf-8"])
@pytest.mark.parametrize("text", [FRENCH, GERMAN])
def test_mac_roman_without_its_name(declared, text):
    html = (f"<meta charset={declared}>" if declared else "") + text * 3
    assert "".join(parse(html.encode("mac-roman")).texts) == text[3:-4] * 3


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("ВНИМАНИЕ! ГАВАНЬ ГОРОДА БЫЛА ПЕРЕСТРОЕНА, И ЛЮДИ ГОВОРЯТ, ЧТО ШУМА МЕНЬШЕ. ", "cp1251"),
        (
            "Гавань міста була перебудована, і люди, які живуть поруч, кажуть, що шум менший. ",
            "cp1251",
        ),
        (
            "Лука града је обновљена, а људи који живе поред ње кажу да је бука много мања. ",
            "cp1251",
        ),
        ("Późno przyjdź, bo źrebię śpi w gęstej mgle – „tak”. ", "cp1250"),
        ("L’été dernier, le cœur de l’œuvre… j’ai vu “déjà” – c’était bien. ", "cp1252"),
        ("港は去年建て直されて、近くに住む人はabc静かになったと言います。", "shift_jis"),
    ],
)
def test_a_right_charset_stays(text, codec):
    html = f"<meta charset={codec.replace('cp', 'windows-')}><p>{text * 5}</p>"
    assert "".join(parse(html.encode(codec)).texts) == text * 5


HUNGARIAN = "<p>A gőz fölött őrzik a hűs kőből épült őrhelyet, ahol a bőség örömét élvezik.</p>"
PERSIAN = "<p>برگ چاي صبح زود چيده مي شود و در سايه خشک مي شود. سپس يک شب در اتاق خنک مي ماند.</p>"
CZECH = "<p>Příliš žluťoučký kůň úpěl ďábelské ódy, a Včera řekl, že čaj nechá ležet do rána.</p>"


@pytest.mark.parametrize(
    ("text", "codec", "declared"),
    [
        (FRENCH, "cp1252", "windows-1251"),
        (FRENCH, "cp1252", "iso-8859-7"),
        (FRENCH, "cp1252", "windows-1255"),
        (GERMAN, "cp1252", "koi8-r"),
        (GERMAN, "cp1252", "windows-1256"),
        (GERMAN, "cp1252", "gb2312"),
        (GERMAN, "cp1252", "big5"),
        (CZECH, "cp1250", "windows-1251"),
        (GREEK, "iso-8859-7", "windows-1251"),
        (GREEK, "iso-8859-7", "windows-1250"),
        (RUSSIAN, "cp1251", "windows-1254"),
        (RUSSIAN, "cp1251", "iso-8859-2"),
        (ARABIC, "cp1256", "windows-1254"),
        (KOREAN, "euc-kr", "iso-8859-9"),
        (JAPANESE, "shift_jis", "windows-1251"),
        (HUNGARIAN, "cp1250", "iso-8859-1"),
        (PERSIAN, "cp1256", "iso-8859-1"),
    ],
)
def test_a_charset_of_another_script_is_not_believed(text, codec, declared):
    html = f"<meta charset={declared}>{text * 3}"
    assert decode(html.encode(codec))[0] == html


@pytest.mark.parametrize("declared", ["", "iso-8859-1", "utf-8", "windows-1250"])
@pytest.mark.parametrize(
    ("text", "codec"), [(FRENCH, "cp850"), (GERMAN, "cp850"), (GERMAN, "cp437"), (CZECH, "cp852")]
)
def test_charsets_of_dos_without_their_names(declared, text, codec):
    html = (f"<meta charset={declared}>" if declared else "") + text.replace("’", "'") * 3
    assert decode(html.encode(codec))[0] == html


def test_dashes_and_apostrophes_alone_are_not_mac_roman():
    html = "<p>The owner’s wife—who didn’t pour—said it’s ready—and isn’t it?</p>" * 3
    assert decode(html.encode("cp1252")) == (html, "windows-1252")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (GERMAN, "cp850"),
        (CZECH, "ibm852"),
        ("<p>Þau búa við ána.", "mac_iceland"),
        ("<p>泡茶的水", "hz-gb-2312"),
        ("<p>차를 우릴 때", "iso-2022-kr"),
        ("<p>Thé très léger", "utf-7"),
        ("<p>Să se țină și aici", "iso8859-16"),
    ],
)
def test_charsets_that_browsers_do_not_read(text, label):
    html = f"<meta charset={label}>{text}"
    assert decode(html.encode(label)) == (html, label)
    assert decode(text.encode(label), label) == (text, label)


@pytest.mark.parametrize("label", ["rot13", "hex", "unicode_escape", "idna", "undefined", "zlib"])
def test_codecs_of_python_that_are_no_charsets(label):
    assert decode(f"<meta charset={label}><p>é".encode()) == (
        f"<meta charset={label}><p>é",
        "utf-8",
    )
    with pytest.raises(UsageError, match="unknown charset"):
        decode(b"<p>", label)


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_a_mark_before_other_bytes_is_not_believed(mark):
    html = "<!doctype html><meta charset=windows-1251>" + RUSSIAN
    assert decode(mark + html.encode("cp1251")) == (html, "windows-1251")


@pytest.mark.parametrize("text", [RUSSIAN, GREEK, JAPANESE])
@pytest.mark.parametrize("codec", ["cp1251", "cp1253", "shift_jis", "cp1252"])
def test_texts_in_another_charset_than_the_page(text, codec):
    other = {"cp1251": RUSSIAN, "cp1253": GREEK, "shift_jis": JAPANESE, "cp1252": FRENCH}[codec]
    data = f"<meta charset=utf-8>{text * 12}".encode() + other.encode(codec)
    assert decode(data) == (f"<meta charset=utf-8>{text * 12}{other}", "utf-8")


SLOVAK = (
    "Uvarte vodu a zohrejte kanvicu, skôr než nasypete lístky. Ďalšie šálky už nebudú také dobré, "
    "preto pridajte čerstvé lístky a trošku ľadu, inak bude chuť slabá."
)
CROATIAN = (
    "Prokuhajte vodu i zagrijte čajnik prije nego što stavite lišće. Isperite čajnik između, "
    "a žličicu ostavite sa strane. Tko želi slađi čaj, može dodati med."
)
ESTONIAN = (
    "Tee peab tõmbama kolm minutit, muidu jääb maitse lahjaks. Häid šokolaadiküpsiseid võib juurde "
    "süüa, ära vala rohelisele teele keevat vett."
)
UKRAINIAN = (
    "Закип'ятіть воду та зігрійте чайник, перш ніж насипати листя. Заварка має настоятися три "
    "хвилини, інакше смак буде слабким, її ґатунок теж важливий."
)


@pytest.mark.parametrize(
    ("text", "codec", "declared", "charset"),
    [
        (SLOVAK, "cp1250", "iso-8859-1", "windows-1250"),
        (CROATIAN, "cp1250", "windows-1252", "windows-1250"),
        (ESTONIAN, "cp1257", "iso-8859-1", "windows-1257"),
        (ESTONIAN, "iso8859-15", "iso-8859-1", "iso-8859-15"),
        ("Le cœur de l’œuvre coûte trois écus.".replace("’", "'"), "iso8859-15", "latin1",
         "iso-8859-15"),
        (UKRAINIAN, "koi8-u", "windows-1251", "koi8-u"),
        (UKRAINIAN, "koi8-u", "koi8-r", "koi8-u"),
        (JAPANESE, "cp932", "gb2312", "shift_jis"),
        (JAPANESE, "euc_jp", "windows-1251", "euc-jp"),
        (KOREAN, "euc_kr", "gbk", "euc-kr"),
        (TRADITIONAL, "big5", "gb2312", "big5"),
        (CHINESE, "gb18030", "windows-1251", "gbk"),
    ],
)  # fmt: skip
def test_a_declared_charset_of_another_language(text, codec, declared, charset):
    source = f"<meta charset={declared}><p>{text}</p>"
    assert decode(source.encode(codec)) == (source, charset)


@pytest.mark.parametrize(
    ("text", "codec", "declared"),
    [
        (CHINESE, "gb18030", "gb2312"),
        (TRADITIONAL, "gb18030", "gbk"),
        (UKRAINIAN, "cp1251", "windows-1251"),
        ("<p>Une tasse ¨ de thé, 1½ cuillerée ½ par jour, ½ litre d'eau</p>", "latin-1", "latin1"),
        ("<p>Það er gott að þekkja ýmis ráð, öl og te</p>", "latin-1", "latin1"),
    ],
)
def test_the_declared_charset_of_a_language_is_believed(text, codec, declared):
    source = f"<meta charset={declared}>{text}"
    assert decode(source.encode(codec)) == (source, declared)


def test_a_character_in_cesu_8_in_utf_8():
    source = "<p>Café, thé et chá \U0001f600 ici</p>"
    pair = "\ud83d\ude00".encode("utf-8", "surrogatepass")
    assert decode(source.encode().replace("\U0001f600".encode(), pair)) == (source, "utf-8")
    assert decode(b"<p>ok " + pair + b"</p>") == ("<p>ok \U0001f600</p>", "utf-8")
