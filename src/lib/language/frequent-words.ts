/** Words that are frequent in a language's sentences and questions, its greetings and words of courtesy included. */
export const LATIN_WORDS: Readonly<Record<string, string>> = {
  en: `the of and to in is you that it he was for on are as with his they at be this have from or had by but what some
    we can out other were all there when up your how an each she which do their if will about many then them these so
    would like him into has more could no than been who its now did get my me why where please thanks thank hello hi
    hey yes not want need help i i'm don't can't it's does any am our should`,
  de: `der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat
    dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr
    durch man sein wurde wenn ich mir mein meine meinen kann wo was warum wann bitte danke hallo guten ja nein wir du
    ihr euch möchte brauche habe bin gibt kein keine mich dich uns lange kostet diese dieser heute morgen`,
  fr: `de à la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec ou son
    aux cette ses mais comme on tout nous sa elle je vous bonjour merci comment où pourquoi quand quel quelle mon ma
    mes votre vos être avoir fait été peut suis ai c'est j'ai n'est d'un d'une qu'il bien très salut oui non leur ils
    y puis-je est-ce voudrais veux combien faut s'il plaît dois`,
  es: `de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin
    sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué
    cómo dónde cuándo cuánto hola gracias por favor puedo quiero necesito tengo hay sí usted yo mis cuál buenos días
    donde ella ellos nos eso esto estoy hacer nada`,
  it: `di che e la il un a per in una è sono mi non si lo ma ho le con ti da se no come ci io questo qui hai bene sei
    del nel al della tu solo mia gli cosa te dei molto perché grazie ciao buongiorno dove quando quanto posso vorrei
    mio alla anche più delle dal stato essere fare nella sulla quale chi suo loro ha c'è dell' l'ho buona sera per
    favore nostro aiuto`,
  pt: `de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua
    ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus
    meu minha você olá obrigado obrigada onde posso quero preciso qual quanto bom dia oi sim são vocês estou meus
    fazer porque quem esse essa quanto custa`,
  nl: `de het een en van ik te dat is in niet je zijn op aan met voor er maar om dan zou of wat mijn men dit zo door
    over ze zich bij ook tot uit kan was naar heb hoe heeft hebben wordt nog worden waar wie waarom wanneer hallo
    dank bedankt alstublieft graag moet wil kunnen we wij u uw jouw geen ja nee als daar deze mij goedemorgen hij
    haar veel krijgen kun hoeveel kost`,
  sv: `och att det i en jag hon som han på den med var sig för så till är men ett om hade de av icke mig du henne då
    sin nu har inte hans honom skulle hennes där min man ej vid kunde något från ut när efter upp vi dem vara vad
    över än dig kan sina här ha mot alla under någon eller allt mycket hur varför hej tack snälla vill behöver mitt
    finns vilken blir ska din ditt`,
  da: `og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde ham hun
    nu over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev kunne ind når være dog
    noget hvordan hvorfor hej tak kan mit jer også efter meget hvilken kommer blive dette venligst af bliver jeres
    nogen lidt gerne mine hvornår henne tage mange ikke`,
  no: `og i jeg det at en et den til er som på de med han av ikke der så var meg seg men ett har om vi min mitt ha
    hadde hun nå over da ved fra du ut sin dem oss opp man kan hans hvor eller hva skal selv her alle vil ble kunne
    inn når være noen noe hvordan hvorfor hei takk blir dere også etter mye hvilken kommer bli dette vennligst
    trenger mine hvilke nei gjerne får fram tilbake hos ønsker hjem`,
  fi: `ja on ei se että hän oli en mutta minä ovat kun niin tai myös mitä joka jos mikä miten missä voi sitä olen
    olla nyt vain kuin sen minun sinä me te he tämä tässä miksi milloin kiitos hei moi kyllä haluan tarvitsen voinko
    onko sekä ole mukaan jälkeen kanssa voin minulla mihin paljonko teidän jo ennen vielä hyvää päivää ette emme
    saada voiko`,
  pl: `w i z na do się nie to jest że o jak a po co tak za od ale ja czy przez dla go już był być jego tym tylko mnie
    są może było ma ich gdzie kiedy dlaczego proszę dziękuję dzień dobry cześć moje moja mój mam chcę mogę ten ta te
    jestem przy oraz ile który która które pan pani bardzo mi ze nam będzie można aby jaki jaka`,
  cs: `a v na se že je to s z do o i ve jak za ale po si tak by od jsem není jsou jeho co když nebo který která
    které být bylo byl má jako až může proč kde kdy prosím děkuji dobrý den ahoj mám chci mohu můj moje tento ještě
    už jen také při této jste mi kolik potřebuji máte jaký ze moje kde jsme jaké jaká stojí`,
  sk: `a v na sa že je to s z do o aj vo ako za ale po si tak pre by od som nie sú jeho čo keď alebo ktorý ktorá ktoré
    byť bolo bol má až môže prečo kde kedy prosím ďakujem dobrý deň ahoj mám chcem môžem môj moje tento ešte už len
    pri tejto ste mi koľko potrebujem máte aký zo som`,
  ro: `de și în a la cu nu pe o un din că este sunt care mai pentru ce să se el ea am fi era au al ale fost dar sau
    după cum când unde mea meu dacă îmi vă îl ai mă prin foarte bună ziua salut mulțumesc rog vreau pot cât avem
    această acest lui lor le ne eu dumneavoastră despre aici trebuie`,
  hu: `a az és hogy nem is egy ez de van meg volt csak mint már még ha vagy én ki kell el mi azt mert így itt lesz ezt
    amely mit hol mikor miért hogyan köszönöm kérem jó napot szia igen vagyok lehet nekem szeretnék tudom a az minden
    után nagyon olyan hogy mennyi kérek sem le fel ön önök`,
  tr: `bir ve bu da de için ile o çok ne ben mi daha var gibi kadar sonra olarak ama ya benim her olan nasıl nerede
    neden zaman lütfen teşekkürler teşekkür merhaba evet hayır değil en şey mı mu istiyorum yok sen biz siz bana
    hangi kaç ederim iyi günler olduğu edebilirim miyim ki veya ise`,
  vi: `và của là có không được cho tôi một người trong những này với các đã để khi bạn nào thì ở làm sao như đến
    rất cũng nhưng từ phải hay về gì nhiều muốn cảm ơn xin chào vui lòng thế bao nhiêu đâu tại vì mình anh chị em
    hàng lại ra còn`,
  id: `yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena tersebut bisa ada mereka lebih
    kata tahun sudah atau saat oleh menjadi orang ia telah adalah seperti kami kita bagaimana apa dimana mengapa kapan
    terima kasih tolong halo selamat berapa anda apakah ingin mau bukan belum mana siapa`,
  ca: `de la que el i a en un per amb no una és els les del al com més però ha va són o si es aquest aquesta també
    molt quan on està jo meu meva gràcies hola bon dia puc vull necessito tinc perquè què sense fins nosaltres
    vostè quin quina seu seva hi ho`,
  hr: `je i u se na da za su od ne s što kao o ali sam kako to ili ovo bi koji koja koje biti ima po iz ako gdje
    kada zašto molim hvala dobar dan bok moj moja mogu želim trebam imam nije smo ste samo više još sve već prije
    nakon koliko vas nas li`,
  lt: `ir yra kad į su iš tai kaip bet ar aš nuo ne o po už jis ji buvo tik jau dar labai kur kada kodėl ačiū prašau
    labas diena mano galiu noriu reikia turiu arba apie būti per šis ši taip jūs mes kiek kas`,
  et: `ja on ei see et ta oli ma aga kui mis ka või nii siis oma kes seda mida kus millal miks tänan palun tere
    päevast minu saan tahan vajan mul olen ole mitte juba veel väga kuidas teie meie nad sest ning kõik kas palju`,
}

/** The same for languages in Cyrillic, Arabic and Devanagari script. */
export const OTHER_WORDS: Readonly<Record<string, string>> = {
  ru: `и в не на я что он с как это по но они к у ты из мы за вы так же от сказать этот который мочь человек о один
    ещё бы такой только себя свой какой когда уже для вот кто да год мой до если время где почему спасибо пожалуйста
    здравствуйте привет хочу могу мне меня можно нет есть или был была было сколько эта это моя мои вас нам чтобы какая какие какое`,
  uk: `і в не на я що він з як це по але вони до у ти із ми за ви так від який могти про один ще б тільки себе свій
    коли вже для ось хто та мій якщо час де чому дякую будь ласка вітаю привіт хочу можу мені мене можна ні є або
    був була було`,
  bg: `и в не на аз че той с как това по но те към ти от ние за вие така който мога за един още би само себе свой
    кога вече ето кой да моя до ако време къде защо благодаря моля здравейте искам мога ми мен може няма има или
    беше са съм се ще колко моята моето ви ми`,
  sr: `и у не на ја што он са како то по али они ка ти из ми за ви тако од који моћи о један још би само себе свој
    када већ ко да мој до ако време где зашто хвала молим здраво желим могу ми мене може нема има или је био била
    било сам су се`,
  ar: `في من على إلى أن هذا هذه التي الذي ما لا هو هي كان مع عن أو كل كيف أين متى لماذا شكرا مرحبا أريد يمكن هل أنا
    لي نعم بعد قبل عند لم قد ثم بين حتى إذا السلام عليكم فضلك كم`,
  fa: `و در به از که این را با است برای آن یک تا می بر هم خود ها شود چه چگونه کجا چرا سلام لطفا ممنون من شما آیا
    هستم دارم کنم باید نیست بود کرد شد ما چند می‌خواهم متشکرم کجاست چیست بله`,
  ur: `اور کے میں کی ہے کا کو سے پر نے یہ کہ ہیں وہ اس تھا کیا نہیں بھی ہو کر ایک جو لیے میرا مجھے آپ کیسے کہاں کیوں
    شکریہ سلام ہوں رہا تھی گیا براہ کرم`,
  hi: `के है में की और से का को पर यह हैं कि ने एक लिए नहीं भी कर इस वह हो था मैं मेरा मुझे आप क्या कैसे कहाँ क्यों
    कब धन्यवाद नमस्ते कृपया हूँ हूं सकता चाहिए मेरी कितना तो रहा`,
  mr: `आहे आणि मी हे ते या की नाही तर होते माझा माझी मला तुम्ही काय कसे कुठे का केव्हा धन्यवाद नमस्कार कृपया आहेत
    असे पण साठी किती मध्ये करा`,
  ne: `छ र को मा लाई हो यो छन् गर्न म मेरो तपाईं के कसरी कहाँ किन कहिले धन्यवाद नमस्ते कृपया भएको थियो हुन् पनि कति`,
}
