/**
 * Words that shape a question but say nothing about its subject, by language: particles, pronouns, auxiliaries,
 * question words and verbs of asking. Words that are ordinary nouns in a neighbouring language are left out; those
 * count by their rarity in the documents.
 */
const STOP_WORDS = {
  en: `a about am an and any anyone anything are aren as at be been being but by can cannot could couldn d did didn
    do does doesn doing don for from get gets getting had has hasn have haven having he her here hers him his how i
    if in into is isn it its just ll m may me might mine more most much must my myself no nor not of on or our ours
    please re s shall she should shouldn so some somebody someone something such t than that the their theirs them
    then there these they this those to too us ve very was wasn we were weren what when where whether which while
    who whom whose why will with won would wouldn you your yours tell explain know want need let like way possible
    works work use used uses using exactly actually really also between difference mean means about hello hi hey thanks thank`,
  de: `aber als am auch auf aus bei bis bitte da das dass dem den denn der des dich dir doch du ein eine einem
    einen einer eines er es etwas euch euer fur gibt habe haben hast hatte ich ihm ihn ihnen ihr ihre im ins ist ja
    jede jeder kann kannst kein keine konnen mal mein meine meinem meinen meiner mich mir mit muss nach nicht noch
    nur oder ob sein seine sich sie sind so soll sollte uber um und uns unser unsere vom von vor wann warum wenn wer
    werden wie wieso wird wir wo woher wurde zu zum zur andere anderem anderen anderer anderes
    dabei dafur damit dann daran davon dazu diese diesem diesen dieser dieses durfen gern gerne hatten jetzt konnte
    konnten lieber mochte mochten mussen musste mussten schon sollten wollen wollte wollten worden wurden`,
  fr: `ai au aux avec avez avoir avons c ce ceci cela ces cet cette comment d dans de des dois doit du elle elles
    en est et etre eux fait faire faut il ils j je l la le les leur leurs lui ma mais me mes moi mon n ne nos notre
    nous on ont ou par pas peut peux plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi sa sans
    se ses si sont suis sur ta te tes toi ton tu un une vos votre vous y`,
  es: `al algo algun alguna como con cual cuales cuando cuanto cuanta de del donde e el ella ellas ellos en es esa
    ese eso esta estan estar este esto estos estoy ha hace hacer hasta hay la las le les lo los mas me mi mis muy no
    nos o para pero por porque puede puedo que quien se ser si sin sobre son su sus te tengo tiene tu tus un una
    unas unos y ya yo ademas aun entonces hemos otra otras otro otros podemos podria podriamos quiero
    quisiera tambien tenemos tendria tendriamos todavia`,
  it: `agli ai al alla alle anche che chi ci come con cosa cui da dal dalla degli dei del della delle dello di dove
    e ed fare gli ha hanno ho i il in io la le lo loro ma mi mia mie miei mio nei nel nella non o per perche piu
    posso puo qual quale quali quando quanto quello questa questo se si sono sua sul sulla suo ti tra tu un una uno
    vi`,
  pt: `ao aos as com como da das de dela dele do dos e ela ele em essa esse esta estao este eu faz fazer foi ha
    isso isto ja lhe mais mas me meu minha muito na nas nao nem no nos o onde os ou para pela pelo por porque posso
    pode qual quais quando que quem sao se sem ser seu sua tem tenho um uma voce`,
  nl: `aan als bij dan dat de deze die dit door een en er haar heb hebben heeft het hij hoe ik in is je jij jouw
    kan kun kunnen maar mag mee met mij mijn moet naar niet nog nu of om onze ook op over te tot u uit uw van voor
    waar waarom wanneer wat we welk welke wel wie wij wil word worden wordt ze zich zij zijn zo`,
  ja: `の に は を た が で て と し れ さ ある いる も する から な こと として い や など なっ ない この ため その あっ
    よう また もの という あり まで られ なる へ か だ これ によって により おり より による なり です ます ください
    どう すれ ば いい なに 何 どこ いつ どの どれ どうして なぜ でき できる き ませ ん でしょう たい ですか
    ら られ っ たら まし まだ`,
  zh: `的 了 和 是 在 我 有 也 不 就 都 而 及 与 你 您 我们 你们 他们 她 他 它 这 那 这个 那个 什么 怎么 怎样 如何 为什么
    哪里 哪个 吗 呢 吧 啊 可以 能 能否 请 请问 会 要 想 把 被 让 给 对 从 到 啦 嘛 是否`,
  th: `ที่ และ ใน ของ เป็น ได้ มี ให้ จะ ไม่ การ ว่า ไป มา กับ แต่ หรือ นี้ นั้น ฉัน ผม คุณ เรา อะไร อย่างไร ทำไม ที่ไหน
    เมื่อไหร่ ไหม ครับ ค่ะ คะ ต้อง ทำ ยังไง ก็ แล้ว`,
}

const words = new Set(Object.values(STOP_WORDS).flatMap((words) => words.split(/\s+/)))

/** Tells whether a word, folded by `plainWords`, says nothing about the subject. */
export function isStopWord(word: string): boolean {
  return words.has(word)
}
