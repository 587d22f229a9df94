"""Charsets: byte order mark, argument, `<meta>`, detection, in this order."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher import UsageError, parse

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
    page = parse(("<meta charset=iso-8859-7>" + RUSSIAN).encode("windows-1251"))
    assert page.charset == "iso-8859-7"
    assert page.texts[0].startswith("Χΰι")  # read as Greek, as the page asked


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
    assert parse(data, charset=charset).status
    assert parse(b"<meta charset=iso-2022-kr>" + data).status


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
