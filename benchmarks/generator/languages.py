"""Word lists of ten languages in nine scripts, written for the generator."""

from __future__ import annotations

from benchmarks.generator.language import Labels, Language

ENGLISH = Language(
    code="en",
    subjects="the old harbour|a quiet teacher|the night train|every gardener|the village choir|"
    "a careful engineer|the morning market|our neighbour|the new bridge|the last ferry|"
    "a travelling printer|the tea house",
    verbs="waits for|remembers|slowly changes|carries|describes|protects|asks about|repairs",
    objects="a long winter|the wooden boats|an unusual map|two small islands|the forgotten road|"
    "a box of letters|the water supply|a better recipe|the stone wall|an open question",
    places="near the river|behind the mill|after the rain|before sunrise|in the upper valley|"
    "without much noise|at the edge of town|under the chestnut trees|for the third time|"
    "with great patience",
    openers="Meanwhile,|For this reason,|Two years later,|As a rule,|To everyone's surprise,",
    nouns="Lantern|Reed|Copper|Heron|Orchard|Slate|Thimble|Willow|Anchor|Barley",
    menu="Home|Region|Weather|Culture|Garden|Travel|Science|Letters|Archive|Events|Contact|Help|"
    "Privacy|Terms of use",
    labels=Labels(
        more="Read more", related="You may also like", comments="Readers' comments",
        reply="Reply", share="Share this page", search="Search", subscribe="Subscribe",
        accept="Accept all", advert="Advertisement",
        cookies="This site stores small files in your browser to remember what you chose.",
        newsletter="Get our letter every Friday, free of charge and easy to leave.",
        rights="All rights reserved.", cart="Add to basket", price="Price", desk="{} desk",
    ),
    charsets=("windows-1252",),
)  # fmt: skip

GERMAN = Language(
    code="de",
    subjects="der alte Hafen|eine ruhige Lehrerin|der Nachtzug|jeder Gärtner|der Dorfchor|"
    "eine sorgfältige Müllerin|der Wochenmarkt|unser Nachbar|die neue Brücke|die letzte Fähre",
    verbs="erwartet|beschreibt|verändert|trägt|schützt|prüft|vergisst|repariert",
    objects="einen langen Winter|die hölzernen Boote|eine ungewöhnliche Karte|zwei kleine Inseln|"
    "den vergessenen Weg|eine Kiste voller Briefe|das saubere Wasser|ein besseres Rezept|"
    "die Mauer aus Stein|eine offene Frage",
    places="am Fluss|hinter der Mühle|nach dem Regen|vor Sonnenaufgang|im oberen Tal|"
    "ohne großen Lärm|am Rand der Stadt|unter den Kastanien|zum dritten Mal|mit viel Geduld",
    openers="Inzwischen|Deshalb|Zwei Jahre später|In der Regel|Überraschenderweise",
    opened="{opener} {verb} {subject} {object} {place}",
    nouns="Laterne|Schilf|Kupfer|Reiher|Obstgarten|Schiefer|Fingerhut|Weide|Anker|Gerste",
    menu="Startseite|Region|Wetter|Kultur|Garten|Reise|Wissen|Leserbriefe|Archiv|Termine|"
    "Kontakt|Hilfe|Datenschutz|Impressum",
    labels=Labels(
        more="Weiterlesen", related="Das könnte Sie auch interessieren", comments="Kommentare",
        reply="Antworten", share="Seite teilen", search="Suche", subscribe="Abonnieren",
        accept="Alle annehmen", advert="Anzeige",
        cookies="Diese Seite speichert kleine Dateien, um sich Ihre Auswahl zu merken.",
        newsletter="Unser Brief kommt jeden Freitag, kostenlos und jederzeit kündbar.",
        rights="Alle Rechte vorbehalten.", cart="In den Korb", price="Preis",
        desk="Redaktion {}",
    ),
    charsets=("iso-8859-1", "windows-1252"),
)  # fmt: skip

GREEK = Language(
    code="el",
    subjects="το παλιό λιμάνι|μια ήσυχη δασκάλα|το νυχτερινό τρένο|κάθε κηπουρός|η χορωδία|"
    "ο προσεκτικός μηχανικός|η πρωινή αγορά|ο γείτονάς μας|η νέα γέφυρα|το τελευταίο πλοίο",
    verbs="περιμένει|θυμάται|αλλάζει|μεταφέρει|περιγράφει|προστατεύει|επισκευάζει|ξεχνά",
    objects="έναν μεγάλο χειμώνα|τις ξύλινες βάρκες|έναν παράξενο χάρτη|δύο μικρά νησιά|"
    "τον ξεχασμένο δρόμο|ένα κουτί με γράμματα|το καθαρό νερό|μια καλύτερη συνταγή|"
    "τον πέτρινο τοίχο|μια ανοιχτή ερώτηση",
    places="κοντά στο ποτάμι|πίσω από τον μύλο|μετά τη βροχή|πριν από την αυγή|"
    "στην πάνω κοιλάδα|χωρίς θόρυβο|στην άκρη της πόλης|κάτω από τις καστανιές|"
    "για τρίτη φορά|με μεγάλη υπομονή",
    openers="Στο μεταξύ,|Γι' αυτόν τον λόγο,|Δύο χρόνια αργότερα,|Συνήθως,",
    nouns="Φανάρι|Καλάμι|Χαλκός|Ερωδιός|Περιβόλι|Σχιστόλιθος|Ιτιά|Άγκυρα|Κριθάρι",
    menu="Αρχική|Περιοχή|Καιρός|Πολιτισμός|Κήπος|Ταξίδια|Επιστήμη|Επιστολές|Αρχείο|"
    "Εκδηλώσεις|Επικοινωνία|Βοήθεια|Απόρρητο|Όροι χρήσης",
    labels=Labels(
        more="Διαβάστε περισσότερα", related="Ίσως σας ενδιαφέρουν", comments="Σχόλια",
        reply="Απάντηση", share="Κοινοποίηση", search="Αναζήτηση", subscribe="Εγγραφή",
        accept="Αποδοχή όλων", advert="Διαφήμιση",
        cookies="Η σελίδα αποθηκεύει μικρά αρχεία για να θυμάται τις επιλογές σας.",
        newsletter="Το γράμμα μας έρχεται κάθε Παρασκευή, χωρίς χρέωση.",
        rights="Με επιφύλαξη παντός δικαιώματος.", cart="Στο καλάθι", price="Τιμή",
        desk="Σύνταξη {}",
    ),
    charsets=("iso-8859-7", "windows-1253"),
)  # fmt: skip

RUSSIAN = Language(
    code="ru",
    subjects="старая гавань|тихая учительница|ночной поезд|каждый садовник|сельский хор|"
    "осторожный инженер|утренний рынок|наш сосед|новый мост|последний паром",
    verbs="ожидает|вспоминает|медленно меняет|перевозит|описывает|защищает|изучает|чинит",
    objects="долгую зиму|деревянные лодки|необычную карту|два маленьких острова|"
    "забытую дорогу|ящик с письмами|чистую воду|лучший рецепт|каменную стену|"
    "открытый вопрос",
    places="у реки|за мельницей|после дождя|перед рассветом|в верхней долине|без шума|"
    "на краю города|под каштанами|в третий раз|с большим терпением",
    openers="Тем временем|По этой причине|Два года спустя|Как правило,|К общему удивлению",
    nouns="Фонарь|Тростник|Медь|Цапля|Сад|Сланец|Напёрсток|Ива|Якорь|Ячмень",
    menu="Главная|Регион|Погода|Культура|Огород|Поездки|Наука|Письма|Архив|События|"
    "Контакты|Помощь|Конфиденциальность|Правила",
    labels=Labels(
        more="Читать дальше", related="Вам может понравиться", comments="Комментарии",
        reply="Ответить", share="Поделиться", search="Поиск", subscribe="Подписаться",
        accept="Принять всё", advert="Реклама",
        cookies="Этот сайт хранит небольшие файлы, чтобы помнить ваш выбор.",
        newsletter="Наше письмо приходит каждую пятницу, бесплатно и без обязательств.",
        rights="Все права защищены.", cart="В корзину", price="Цена", desk="Редакция «{}»",
    ),
    charsets=("windows-1251", "koi8-r"),
)  # fmt: skip

ARABIC = Language(
    code="ar",
    direction="rtl",
    subjects="الميناء القديم|المعلم الهادئ|قطار الليل|كل بستاني|فريق القرية|"
    "المهندس الحذر|سوق الصباح|جارنا|الجسر الجديد|المركب الأخير",
    verbs="ينتظر|يتذكر|يغير ببطء|يحمل|يصف|يحمي|يدرس|يصلح",
    objects="شتاء طويلا|القوارب الخشبية|خريطة غريبة|جزيرتين صغيرتين|الطريق المنسي|"
    "صندوقا من الرسائل|الماء النظيف|وصفة أفضل|الجدار الحجري|سؤالا مفتوحا",
    places="قرب النهر|خلف الطاحونة|بعد المطر|قبل الشروق|في الوادي الأعلى|دون ضجيج|"
    "على طرف المدينة|تحت أشجار الكستناء|للمرة الثالثة|بصبر كبير",
    openers="في هذه الأثناء|لهذا السبب|بعد عامين|في العادة",
    opened="{opener} {verb} {subject} {object} {place}",
    nouns="الفانوس|القصب|النحاس|البستان|الصفصاف|المرساة|الشعير|الحجر|القمر",
    menu="الرئيسية|المنطقة|الطقس|الثقافة|الحديقة|السفر|العلوم|الرسائل|الأرشيف|الفعاليات|"
    "اتصل بنا|المساعدة|الخصوصية|شروط الاستخدام",
    labels=Labels(
        more="اقرأ المزيد", related="قد يعجبك أيضا", comments="التعليقات", reply="رد",
        share="شارك الصفحة", search="بحث", subscribe="اشترك", accept="قبول الكل",
        advert="إعلان",
        cookies="يحفظ هذا الموقع ملفات صغيرة في متصفحك ليتذكر ما اخترته.",
        newsletter="تصلك رسالتنا كل يوم جمعة، مجانا ودون التزام.",
        rights="جميع الحقوق محفوظة.", cart="أضف إلى السلة", price="السعر",
        desk="تحرير {}",
    ),
    charsets=("windows-1256",),
)  # fmt: skip

CHINESE = Language(
    code="zh",
    subjects="古老的港口|安静的老师|夜间的火车|每一位园丁|村里的合唱团|细心的工程师|早晨的市场|"
    "我们的邻居|新建的桥|最后一班渡船",
    verbs="等待着|还记得|慢慢改变了|带走了|描述了|保护着|修好了|询问过",
    objects="漫长的冬天|那些木船|一张奇怪的地图|两座小岛|被遗忘的道路|一箱旧信|干净的水源|"
    "更好的食谱|石头砌的墙|没有答案的问题",
    places="在河边|在磨坊后面|在雨停以后|在日出之前|在上游的山谷里|悄悄地|在小城的边上|"
    "在栗子树下|第三次|很有耐心地",
    openers="与此同时，|因此，|两年以后，|一般来说，|出乎大家的意料，",
    pattern="{subject}{place}{verb}{object}",
    opened="{opener}{subject}{place}{verb}{object}",
    stop="。",
    gap="",
    nouns="灯笼|芦苇|红铜|白鹭|果园|石板|垂柳|铁锚|大麦",
    menu="首页|地区|天气|文化|园艺|旅行|科学|来信|资料库|活动|联系我们|帮助|隐私|使用条款",
    labels=Labels(
        more="阅读全文", related="您可能还喜欢", comments="读者评论", reply="回复",
        share="分享本页", search="搜索", subscribe="订阅", accept="全部接受", advert="广告",
        cookies="本站会在您的浏览器中保存小文件，用来记住您的选择。",
        newsletter="每星期五寄出，免费订阅，随时可以退订。", rights="版权所有。",
        cart="放入购物车", price="价格", desk="{}编辑部",
    ),
    charsets=("gb18030", "gb2312"),
)  # fmt: skip

JAPANESE = Language(
    code="ja",
    subjects="古い港は|静かな先生は|夜の列車は|庭師は|村の合唱団は|慎重な技師は|朝の市場は|"
    "隣の人は|新しい橋は|最後の渡し船は",
    verbs="待っている|覚えている|ゆっくり変える|運んでいる|説明する|守っている|直している|忘れない",
    objects="長い冬を|木の舟を|めずらしい地図を|二つの小さな島を|忘れられた道を|手紙の箱を|"
    "きれいな水を|よりよい作り方を|石の壁を|開かれた問いを",
    places="川の近くで|水車の裏で|雨のあとで|日の出の前に|上の谷で|音を立てずに|町のはずれで|"
    "栗の木の下で|三度目に|とても根気よく",
    openers="その間に、|このため、|二年後、|ふつう、|だれもが驚いたことに、",
    pattern="{subject}{place}{object}{verb}",
    opened="{opener}{subject}{place}{object}{verb}",
    stop="。",
    gap="",
    nouns="ランタン|アシ|銅|サギ|果樹園|スレート|ヤナギ|いかり|大麦",
    menu="ホーム|地域|天気|文化|園芸|旅|科学|お便り|資料室|催し|お問い合わせ|ヘルプ|"
    "個人情報|利用規約",
    labels=Labels(
        more="続きを読む", related="こちらもどうぞ", comments="読者のコメント", reply="返信",
        share="このページを共有", search="検索", subscribe="購読する", accept="すべて許可",
        advert="広告",
        cookies="このサイトは、選択を記憶するために小さなファイルを保存します。",
        newsletter="毎週金曜日にお届けします。無料で、いつでも止められます。",
        rights="無断転載を禁じます。", cart="かごに入れる", price="価格", desk="{}編集室",
    ),
    charsets=("shift_jis", "euc-jp"),
)  # fmt: skip

KOREAN = Language(
    code="ko",
    subjects="오래된 항구는|조용한 선생님은|밤 기차는|모든 정원사는|마을 합창단은|"
    "꼼꼼한 기술자는|아침 시장은|우리 이웃은|새 다리는|마지막 나룻배는",
    verbs="기다린다|기억한다|천천히 바꾼다|나른다|설명한다|지킨다|고친다|잊지 않는다",
    objects="긴 겨울을|나무 배를|낯선 지도를|작은 섬 두 개를|잊힌 길을|편지 상자를|맑은 물을|"
    "더 나은 조리법을|돌담을|열린 질문을",
    places="강가에서|방앗간 뒤에서|비가 온 뒤에|해가 뜨기 전에|위쪽 골짜기에서|소리 없이|"
    "마을 끝에서|밤나무 아래에서|세 번째로|큰 인내심으로",
    openers="그동안|이 때문에|두 해 뒤에|보통|모두가 놀랍게도",
    pattern="{subject} {place} {object} {verb}",
    opened="{opener} {subject} {place} {object} {verb}",
    nouns="등불|갈대|구리|왜가리|과수원|버드나무|보리|돌다리",
    menu="처음|지역|날씨|문화|정원|여행|과학|편지|자료실|행사|연락처|도움말|개인정보|이용 약관",
    labels=Labels(
        more="더 읽기", related="함께 읽을 글", comments="독자 의견", reply="답글",
        share="이 쪽 나누기", search="찾기", subscribe="구독하기", accept="모두 받기",
        advert="광고",
        cookies="이 사이트는 고르신 것을 기억하려고 작은 파일을 저장합니다.",
        newsletter="금요일마다 보내 드립니다. 무료이며 언제든 그만둘 수 있습니다.",
        rights="모든 권리를 가집니다.", cart="바구니에 담기", price="가격", desk="{} 편집실",
    ),
    charsets=("euc-kr",),
)  # fmt: skip

THAI = Language(
    code="th",
    subjects="ท่าเรือเก่า|ครูผู้เงียบขรึม|รถไฟกลางคืน|คนสวนทุกคน|วงร้องเพลงของหมู่บ้าน|"
    "วิศวกรผู้รอบคอบ|ตลาดเช้า|เพื่อนบ้านของเรา|สะพานใหม่|เรือข้ามฟากลำสุดท้าย",
    verbs="รอคอย|จดจำ|ค่อยๆเปลี่ยน|ขนส่ง|อธิบาย|ปกป้อง|ถามถึง|ซ่อมแซม",
    objects="ฤดูหนาวอันยาวนาน|เรือไม้|แผนที่แปลกตา|เกาะเล็กสองเกาะ|ถนนที่ถูกลืม|"
    "กล่องจดหมาย|น้ำสะอาด|สูตรที่ดีกว่า|กำแพงหิน|คำถามที่ยังไม่มีคำตอบ",
    places="ใกล้แม่น้ำ|หลังโรงสี|หลังฝนตก|ก่อนรุ่งสาง|ในหุบเขาตอนบน|อย่างเงียบๆ|"
    "ที่ชายเมือง|ใต้ต้นเกาลัด|เป็นครั้งที่สาม|ด้วยความอดทน",
    openers="ในระหว่างนั้น|ด้วยเหตุนี้|สองปีต่อมา|โดยปกติ",
    pattern="{subject}{verb}{object}{place}",
    opened="{opener} {subject}{verb}{object}{place}",
    stop="",
    nouns="โคมไฟ|ต้นอ้อ|ทองแดง|นกกระสา|สวนผลไม้|หินชนวน|สมอเรือ|ข้าวบาร์เลย์",
    menu="หน้าแรก|ภูมิภาค|อากาศ|วัฒนธรรม|สวน|ท่องเที่ยว|วิทยาศาสตร์|จดหมาย|คลังข้อมูล|"
    "กิจกรรม|ติดต่อเรา|ช่วยเหลือ|ความเป็นส่วนตัว|ข้อตกลง",
    labels=Labels(
        more="อ่านต่อ", related="เรื่องที่คุณอาจชอบ", comments="ความคิดเห็น", reply="ตอบกลับ",
        share="แบ่งปันหน้านี้", search="ค้นหา", subscribe="สมัครรับ", accept="ยอมรับทั้งหมด",
        advert="โฆษณา",
        cookies="เว็บไซต์นี้เก็บไฟล์ขนาดเล็กเพื่อจดจำสิ่งที่คุณเลือก",
        newsletter="รับจดหมายของเราทุกวันศุกร์ ไม่มีค่าใช้จ่าย ยกเลิกได้เสมอ",
        rights="สงวนลิขสิทธิ์", cart="หยิบใส่ตะกร้า", price="ราคา", desk="กองบรรณาธิการ{}",
    ),
    charsets=("windows-874",),
)  # fmt: skip

HINDI = Language(
    code="hi",
    subjects="पुराना बंदरगाह|शांत शिक्षक|रात का मुसाफ़िर|हर माली|गाँव का गायक|"
    "सावधान अभियंता|सुबह का बाज़ार|हमारा पड़ोसी|नया पुल|आख़िरी नाविक",
    verbs="देखता है|याद रखता है|धीरे धीरे बदलता है|सँभालता है|समझाता है|बचाता है|सुधारता है",
    objects="लंबी सर्दी को|लकड़ी की नावों को|अनोखे नक़्शे को|दो छोटे द्वीपों को|भूले हुए रास्ते को|"
    "चिट्ठियों के डिब्बे को|साफ़ पानी को|बेहतर विधि को|पत्थर की दीवार को|खुले सवाल को",
    places="नदी के पास|चक्की के पीछे|बारिश के बाद|सूरज निकलने से पहले|ऊपरी घाटी में|"
    "बिना शोर के|शहर के किनारे|पेड़ों के नीचे|तीसरी बार|बड़े धीरज से",
    openers="इस बीच|इसी कारण|दो साल बाद|आम तौर पर",
    pattern="{subject} {place} {object} {verb}",
    opened="{opener} {subject} {place} {object} {verb}",
    stop="।",
    nouns="लालटेन|सरकंडा|ताँबा|बगुला|बाग़|पत्थर|लंगर|जौ",
    menu="मुखपृष्ठ|क्षेत्र|मौसम|संस्कृति|बाग़वानी|यात्रा|विज्ञान|पत्र|संग्रह|कार्यक्रम|संपर्क|"
    "सहायता|निजता|उपयोग की शर्तें",
    labels=Labels(
        more="आगे पढ़ें", related="आपको यह भी पसंद आ सकता है", comments="टिप्पणियाँ",
        reply="उत्तर दें", share="यह पन्ना बाँटें", search="खोजें", subscribe="सदस्य बनें",
        accept="सब स्वीकार करें", advert="विज्ञापन",
        cookies="यह साइट आपकी पसंद याद रखने के लिए छोटी फ़ाइलें रखती है।",
        newsletter="हमारा पत्र हर शुक्रवार मुफ़्त आता है, जब चाहें बंद करें।",
        rights="सर्वाधिकार सुरक्षित।", cart="टोकरी में डालें", price="दाम", desk="{} संपादन",
    ),
)  # fmt: skip

LANGUAGES: tuple[Language, ...] = (
    ENGLISH,
    GERMAN,
    GREEK,
    RUSSIAN,
    ARABIC,
    CHINESE,
    JAPANESE,
    KOREAN,
    THAI,
    HINDI,
)
