"""The declared language of a page, else the detected one, and the direction of writing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from turbohtml.detect import LanguageMatch

from tests.growth import assert_linear
from thresher import extract, parse
from thresher.metadata import Field, read
from thresher.metadata import language as language_module
from thresher.metadata.declared import declarations
from thresher.metadata.language import direction, page_language, text_language


def language(html: str) -> tuple[str, str]:
    page = parse(html)
    return page_language(page, declarations(page))


def json_ld(value: object) -> str:
    work = json.dumps({"@type": "Article", "headline": "Tea", "inLanguage": value})
    return f'<script type="application/ld+json">{work}</script>'


# --- declared languages ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [*"und mul zxx mis UND und-Latn english x utf-8 UTF8 iso-8859-1".split(), ""],
)
def test_codes_that_are_not_a_language_are_ignored(code):
    assert language(f'<html lang="{code}"><p>tea') == ("", "")
    assert language(f'<html lang="{code}"><body lang=de><p>tea') == ("de", "body lang")


@pytest.mark.parametrize(
    ("code", "tag"),
    [
        ("cn", "zh"),
        ("CN", "zh"),
        ("jp", "ja"),
        ("ja-JP", "ja-JP"),
        ("zh_cn", "zh-CN"),
        ("iw", "he"),
        ("iw-IL", "he-IL"),
        ("cz", "cs"),
        ("dk", "da"),
        ("gr", "el"),
        ("ua", "uk"),
        ("se", "se"),  # Northern Sami
    ],
)
def test_country_codes_and_withdrawn_codes_are_corrected(code, tag):
    assert language(f"<html lang={code}><p>tea") == (tag, "html lang")


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("de", "de"),
        (["de", "en"], "de"),
        ({"@type": "Language", "name": "German", "alternateName": "de"}, "de"),
        ({"@type": "Language", "name": "Old Norse", "alternateName": ["Norrœnt", "non"]}, "non"),
        ({"@type": "Language", "name": "pt-BR"}, "pt-BR"),
        ([{"@type": "Language", "name": "German"}, {"@value": "fr"}], "fr"),
        ({"@type": "Language", "name": "Old Norse"}, ""),
        ({"@type": "Language", "alternateName": {"@type": "Text"}}, ""),
        (7, ""),
        (None, ""),
    ],
)
def test_languages_in_json_ld(value, code):
    assert language(json_ld(value)) == ((code, "json-ld inLanguage") if code else ("", ""))


# --- detected languages ----------------------------------------------------------------------

TEXTS = {
    "en": "Warm the pot and steep the leaves for three minutes, but the water must not boil. Then "
    "pour the tea into small cups, let it cool for a while and drink it slowly, without sugar.",
    "de": "Die Kanne vorwärmen und die Blätter drei Minuten ziehen lassen, aber das Wasser darf "
    "nicht kochen. Dann den Tee in kleine Schalen gießen, etwas abkühlen lassen und trinken.",
    "pl": "Podgrzej czajnik i parz liście przez trzy minuty, ale woda nie może się gotować. Potem "
    "wlej herbatę do małych filiżanek, niech trochę ostygnie, i pij ją powoli, bez cukru.",
    "el": "Ζεσταίνουμε την τσαγιέρα και αφήνουμε τα φύλλα τρία λεπτά.",
    "hy": "Տաքացրեք թեյնիկը և թողեք տերևները երեք րոպե։",
    "ka": "გაათბეთ ჩაიდანი და დააყოვნეთ ფოთლები სამი წუთით",
    "th": "อุ่นกาน้ำชาแล้วแช่ใบชาไว้สามนาที",
    "ko": "주전자를 데우고 찻잎을 삼 분 동안 우려낸다. 물은 너무 뜨겁지 않게 한다.",
    "ja": "急須を温めて茶葉を三分間蒸らします。お湯は沸かしたてを使いません。",
    "zh": "先把茶壶温热，再把茶叶泡三分钟，水不要太烫。",
    "ta": "தேநீர் பானையை சூடாக்கி இலைகளை மூன்று நிமிடம் ஊற விடவும்",
    "he": "מחממים את הקומקום ומשרים את העלים במשך שלוש דקות, והמים לא צריכים לרתוח. אחר כך מוזגים "
    "את התה לכוסות קטנות ושותים אותו לאט, בלי סוכר ובלי חלב.",
    "ru": "Согрейте чайник и заваривайте листья три минуты, но вода не должна кипеть. Потом "
    "разлейте чай по чашкам, чтобы он остыл, и пейте его медленно, без сахара и молока.",
    "uk": "Зігрійте чайник і заварюйте листя три хвилини, але вода не має кипіти. Потім розлийте "
    "чай по чашках, щоб він охолов, і пийте його повільно, бо її смак є тонким.",
    "be": "Сагрэйце чайнік і заварвайце лісце тры хвіліны, але вада не павінна кіпець. Потым "
    "разліце гарбату па кубках, каб яна астыла, і піце яе павольна, бо ў ёй добры смак.",
    "bg": "Затоплете чайника и запарете листата три минути, но водата не трябва да кипи. След това "
    "разлейте чая в чаши, за да изстине, и го пийте бавно, без захар, на малки глътки.",
    "sr": "Загрејте чајник и оставите листове три минута, али вода не сме да кључа. Затим ћете чај "
    "сипати у шоље да се охлади и пити га полако, без шећера, међу пријатељима.",
    "ar": "سخن إبريق الشاي واترك الأوراق ثلاث دقائق في المياه الساخنة، ثم اسكب الشاي في الأكواب "
    "الصغيرة واشربه بهدوء من دون سكر، فهذه عادة قديمة في المدينة.",
    "fa": "قوری را گرم کنید و برگ‌های چای را سه دقیقه دم کنید، ولی آب نباید بجوشد. سپس چای را در "
    "پیاله‌های کوچک بریزید و بگذارید کمی سرد شود و آرام بنوشید.",
    "ur": "چائے کی کیتلی گرم کریں اور پتیوں کو تین منٹ تک دم دیں، لیکن پانی ابلنا نہیں چاہیے۔ پھر "
    "چائے چھوٹی پیالیوں میں ڈالیں اور ٹھنڈی ہونے دیں، یہ بڑی پرانی عادت ہے جو لوگوں میں ہے۔",
    "hi": "चायदानी को गरम करें और पत्तियों को तीन मिनट तक छोड़ दें, पर पानी उबलना नहीं चाहिए। फिर "
    "चाय को छोटे प्यालों में डालें, थोड़ा ठंडा होने दें और धीरे पिएँ, यह बड़ी पुरानी आदत है।",
    "bn": "কেটলি গরম করুন আর পাতাগুলো তিন মিনিট ভিজিয়ে রাখুন, তবে জল ফোটানো চলবে না। তারপর ছোট "
    "পেয়ালায় চা ঢালুন, একটু ঠান্ডা হতে দিন এবং ধীরে ধীরে পান করুন, চিনি ছাড়া আর দুধ ছাড়া।",
}


OWN_SCRIPT = ["el", "hy", "ka", "th", "ko", "ja", "zh", "ta"]  # detected from 30 letters on


@pytest.mark.parametrize("code", TEXTS)
def test_detected_languages(code):
    text = TEXTS[code] * 2 if code in OWN_SCRIPT else " ".join([TEXTS[code]] * 4)
    assert text_language(text) == code
    assert text_language(text + " Tea Ltd.") == code


def with_letters(text: str, number: int) -> str:
    """Return the beginning of a text, repeated as needed, up to a number of letters."""
    repeated = text * number
    ends = [at for at, letter in enumerate(repeated) if letter.isalpha()]
    return repeated[: ends[number - 1] + 1]


@pytest.mark.parametrize(
    ("code", "fewest"), [("el", 30), ("zh", 30), ("th", 30), ("en", 300), ("ru", 300), ("ar", 300)]
)
def test_the_fewest_letters(code, fewest):
    assert text_language(with_letters(TEXTS[code], fewest)) == code
    assert text_language(with_letters(TEXTS[code], fewest - 1)) == ""
    assert text_language(with_letters(TEXTS[code], fewest - 1) + " 2024!" * 99) == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12:30, 2024 " * 99,
        "α and β are the angles, as is λ",  # short
        "茶 tea",
        # languages that the detector takes for another one: Icelandic, Kazakh, Mongolian, Pashto
        "Hitið ketilinn og látið blöðin liggja í þrjár mínútur, en vatnið má ekki sjóða. Síðan er "
        "teinu hellt í litla bolla og það látið kólna. " * 4,
        "Шәйнекті жылытып, жапырақтарды үш минут демдеңіз, бірақ су қайнамауы керек. Содан кейін "
        "шайды кішкентай кеселерге құйып, баяу ішіңіз. " * 4,
        "Данхаа халааж, навчийг гурван минут хандлаарай, гэхдээ ус буцлах ёсгүй. Дараа нь цайгаа "
        "жижиг аяганд хийж, бага зэрэг хөргөөд аажуухан уугаарай. " * 4,
        "د بشر ټول افراد آزاد نړۍ ته راځي او د حیثیت او حقوقو له پلوه سره برابر دي. ټول د عقل او "
        "وجدان خاوندان دي او یو له بل سره د ورورۍ په روحیې سره باید چلند کړي. " * 4,
        "ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ ສິດທິ ເສລີພາບແລະຄວາມສະເໝີພາບເທົ່າທຽມກັນ " * 4,  # Lao
    ],
)
def test_texts_without_a_detected_language(text):
    assert text_language(text) == ""


@pytest.mark.parametrize(("confidence", "code"), [(0.5, "sv"), (0.49, "")])
def test_a_low_confidence_has_no_result(monkeypatch, confidence, code):
    match = LanguageMatch("swe", confidence, "Latin")
    monkeypatch.setattr(language_module, "detect_language", lambda text: match)
    assert text_language("tea " * 100) == code


def test_the_declared_language_comes_first():
    greek = f"<p>{TEXTS['el']}"
    assert read(parse(greek)).language == Field("el", "script")
    assert read(parse(greek)).direction == Field("ltr", "language")
    assert read(parse(f"<html lang=und>{greek}")).language == Field("el", "script")
    assert read(parse(f"<html lang=en>{greek}")).language == Field("en", "html lang")
    assert read(parse("<p>tea")).language == Field("")
    assert extract(f"<h1>Τσάι</h1>{greek}", method="plain").language == "el"


def test_the_main_content_is_used_and_else_all_visible_text():
    page = parse(f"<p>{TEXTS['el']}<p>{TEXTS['ka']}<p hidden>{TEXTS['th'] * 9}")
    georgian = page.where((page.words > 0) & _contains(page, "ჩაი"))
    empty = declarations(page)
    assert page_language(page, empty, georgian) == ("ka", "script")
    assert page_language(page, empty) == ("el", "script")  # 47 letters; Georgian has 43
    assert page_language(page, empty, page.none()) == ("el", "script")


def _contains(page, text):
    return [text in page.text(row) for row in range(len(page))]


@given(st.text())
def test_any_text_has_an_answer(text):
    assert len(text_language(text)) in (0, 2)
    assert len(text_language(text * 40)) in (0, 2)


def test_only_the_beginning_of_a_page_is_read():
    pause = "<p>" + " " * 5_000
    page = parse(f"{pause}<p>{TEXTS['el']}" * 20 + f"<p>{TEXTS['ka']}" * 200)
    assert page_language(page, declarations(page)) == ("el", "script")
    assert_linear(_language, lambda size: parse(f"<p>{TEXTS['el']}" * size), 200)


def _language(page):
    return page_language(page, declarations(page))


# --- direction -------------------------------------------------------------------------------


def test_direction_of_a_corrected_code():
    assert read(parse("<html lang=iw><p>tea")).direction == Field("rtl", "language")
    assert direction(parse("<p>tea"), "", "12") == ("", "")
