const COUNTRIES =
  'ac ad ae af ag ai al am ao ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'
const GENERIC =
  'com org net edu gov mil int info biz name pro mobi tel asia cat jobs travel coop aero museum post app dev page blog shop store online site website tech cloud space live life world email mail social chat team work works agency company center solutions services systems network digital media studio design consulting group global international academy school university education health care clinic dental doctor legal law finance bank money capital fund insurance house homes realty estate restaurant cafe bar pizza coffee club fun games game music film photo photos art gallery fashion beauty fit yoga run bike car auto taxi hotel tours vacations events party wedding love family kids baby pet dog zone xyz top vip icu one ltd inc llc gmbh sarl srl bv berlin hamburg koeln wien paris bzh london wales scot amsterdam brussels tokyo osaka nyc moscow istanbul africa lat example test local localhost'

const KNOWN = new Set(
  `${COUNTRIES} ${GENERIC} рф бг укр 中国 中國 公司 网络 网址 香港 台湾 みんな 한국 ไทย भारत الامارات السعودية مصر المغرب`.split(
    ' ',
  ),
)

/** Tells whether a label in lower case is a country's domain, a common generic one, or one reserved for examples. */
export function isTopLevelDomain(label: string): boolean {
  return KNOWN.has(label)
}
