"""The language that letters decide, and where they decide none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from thresher import extract, parse
from thresher.metadata import Field, read
from thresher.metadata.language import by_script, language_of

TEXTS = {
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


@pytest.mark.parametrize("language", TEXTS)
def test_letters_decide(language):
    assert language_of(TEXTS[language]) == language
    assert language_of(TEXTS[language].upper()) == language
    assert language_of(TEXTS[language] + " Tea and Cake Ltd.") == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Warm the pot, then steep the leaves for three minutes.",
        "Čaj nechte tři minuty louhovat, ať není příliš hořký.",
        "α and β are the angles, as is λ",  # letters of formulas
        "茶 tea",
        "茶壶",  # too short
        "Чай",
        TEXTS["ru"][:60],
        TEXTS["el"]
        + " In English the same sentence would be quite a bit longer than in Greek. " * 2,
        TEXTS["ru"] + TEXTS["uk"],  # two languages
        TEXTS["ar"] + TEXTS["fa"],
        "यसको राजधानी काठमाडौँ हो र यहाँका मानिसहरू नेपाली बोल्छन्। " * 4,  # Nepali has no letter alone
        "ይህ ጽሑፍ በአማርኛ ወይም በትግርኛ ሊጻፍ ይችላል እና ፊደሎቹ አይለዩትም",
        "יידיש איז אַ שפּראַך וואָס ווערט גערעדט און געשריבן אין פילע לענדער פון דער גאַנצער וועלט "
        "און מען לערנט זי אויך אין שולן",
        "大韓民國의 主權은 國民에게 있고 모든 權力은 國民으로부터 나온다",  # Korean with Han
        # Korean with more of it; Malay; South Azerbaijani
        "大韓民國 憲法 全文 改正 經過: 國會 議決, 大統領 公布. 第一條 大韓民國은 民主共和國이다",
        "سموا مانسي دلاهيرکن بيبس دان سامراتا دري سݢي کمولياءن دان حق٢. مريك ممڤوڽاءي ڤميکيرن دان "
        "ڤراساءن هاتي دان هندقله برتيندق دانتارا ساتو سام لاءين دڠن سماڠت. چارا ممبوات چمڤور",
        "بوتون اینسانلار لیاقت و حقوقلارینا گؤره آزاد و برابر دوغولارلار. اونلارین شعورلاری و "
        "وجدانلاری وار و بیر بیرلرینه قارداشلیق روحوندا داورانمالیدیرلار. هر کس چای آلا بیلر",
        "茶の間という名前" + "先把茶壶温热再把茶叶泡三分钟" * 3,  # a Japanese name in Chinese
    ],
)
def test_or_they_do_not(text):
    assert language_of(text) == ""


def test_only_a_page_that_names_none_is_asked():
    greek = f"<p>{TEXTS['el']}"
    assert read(parse(greek)).language == Field("el", "script")
    assert read(parse(greek)).direction == Field("ltr", "language")
    assert read(parse(f"<html lang=en>{greek}")).language == Field("en", "html lang")
    assert read(parse("<p>tea")).language == Field("")
    assert extract(f"<h1>Τσάι</h1>{greek}", method="plain").language == "el"


def test_the_main_content_counts_and_else_what_is_shown():
    page = parse(f"<p>{TEXTS['el']}<p>{TEXTS['ka']}<p hidden>{TEXTS['th'] * 9}")
    georgian = page.where((page.words > 0) & _says(page, "ჩაი"))
    assert by_script(page, georgian) == ("ka", "script")
    assert by_script(page) == ("", "")  # both are shown
    assert by_script(page, page.none()) == ("", "")


def _says(page, text):
    return [text in page.text(row) for row in range(len(page))]


@given(st.text())
def test_any_text_has_an_answer(text):
    assert len(language_of(text)) in (0, 2, 3)
    assert language_of(text.encode("ascii", "ignore").decode()) == ""


def test_a_long_page_is_read_at_its_beginning():
    assert_linear(by_script, lambda size: parse(f"<p>{TEXTS['el']}" * size), 500)
    assert by_script(parse(f"<p>{TEXTS['el']}" * 2000 + f"<p>{TEXTS['ka']}" * 4000))[0] == "el"
