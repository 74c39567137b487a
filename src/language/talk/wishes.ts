import type { TalkLanguage } from './greetings.ts'

/**
 * The parts of a wish for a person in one language. Somebody speaks (`speak`) to a person, or gets (`get`) one; around
 * these stand words that wish or ask (`want`), and what describes the person (`a`).
 */
export interface WishWords {
  want: string
  /** Words that ask how to reach a person. They count only with an unmistakable word for one. */
  how?: string
  speak: string
  get: string
  a: string
  /** Words for a person that are a wish by themselves. Offers name the first one. */
  alone: string
  /** Unmistakable words for a person, which can also follow `get`. */
  person: string
  /** Words for anyone else to whom somebody wants to speak. */
  anyone: string
  /** Words that follow the person. */
  after: string
  /** Words that introduce a reason. */
  about: string
}

/** The words of wishes by language. */
export const WISHES: Record<TalkLanguage, WishWords> = {
  en: {
    want: '[can|could|may|might|must|should] [i|we] [|just|please|now|also] [|maybe|possibly]|[i|we] [|just|really|now|only] [want|need|wish|have|prefer|demand|would like|would love|would rather|would prefer|d like|d love|d rather|d prefer|like|wanted|am trying|m trying] [|to|you to]|im trying to|i wanna|wanna|gimme|[want|need|would like|like|wish] to|let me|lemme|[can|could|would|will] [you|u] [|please|just|let me]|[is it|would it be] possible [to|for me to]|any chance i [can|could]|i ask to|i asked to|i insist to|i must|i d',
    how: 'how [can|do|could|may|would] i|how to|where can i|where do i|is there [a|any] way to',
    speak:
      '[talk|speak|chat|talking|speaking|chatting|have a chat|have a word] [to|with]|[be|get] [connected|transferred|put through|passed|forwarded] [to|with]|[connect|transfer|pass|forward|redirect|escalate|hand|switch|direct|route] [me|us|this|it|this chat|this conversation] [|over] [to|with]|[put|patch] me [through to|in touch with|on to]|[get|be] in touch with|i can [talk|speak|chat] [to|with]|get through to|escalate to|switch to|transfer to|connect to|connect with|[get|reach|have] [hold of|]',
    get: '[get|give|send|call|bring|fetch|find|show] [me|us|in]|[i|we] [|just|really] [want|need|demand|prefer|would like|would prefer|d like|d prefer]|need|want|[can|could|may] i [|please] [have|get|see]|is [there|here]|are there|call|get|send|bring in|have|ask for|asking for|i ask for|would like|like|see',
    a: 'a|an|any|the|some|one of|your|real|live|actual|human|another|proper|genuine|living|native|of your|this|one',
    alone:
      'person|human|human being|human agent|human [operator|support|help|assistance|assistant|rep|representative|please]|agent|[real|live|actual] [person|human|people|human being|someone|support agent]|[live|real] [agent|operator|rep|representative|support|support agent]|representative|[customer service|customer support|support|service] [agent|rep|representative|person]|customer care representative|someone real|someone human|real life person|human pls|person pls|i [don t|do not] [want|wish] to [talk|speak|chat] [to|with] [a|the|this|your] [bot|robot|machine|chatbot|computer|ai]',
    person:
      'people|humans|operator|rep|reps|colleague|coworker|employee|staff|staff member|team member|support person|member of [staff|the team|your team|the staff|your staff]|customer service|customer care|supervisor|advisor|adviser|consultant|human beings|assistant who is human|support team member|customer support|human colleague|somebody [real|human]|manager|agents|representatives',
    anyone:
      'someone|somebody|anyone|anybody|support|the team|team|your team|support team|service|helpdesk|help desk|technical support|tech support|support staff|customer service team|colleagues|expert|specialist|technician|you guys|sales|sales team|billing|human resources',
    after:
      '[|of|from|on|in|at] [support|your team|the team|team|your support team|the support team|customer service|your company|sales|your staff|billing|the staff|customer support|the company|tech support]|instead|directly|[right|] now|here|there|asap|as soon as possible|immediately|in charge|urgently|today|in person|personally|in chat|in the chat|online|available|around|[and|] not [a|the|to a|with a|to the] [bot|robot|machine|chatbot|computer|ai]|not you|not [bot|robot|chatbot]|instead of [a|the|this] [bot|robot|machine|chatbot|computer|ai]|rather than a [bot|robot|machine|chatbot]|that can help [me|]|who can help [me|]|to help [me|]|for help|for [assistance|support]|else|quickly|this time|about this|about it|about that|help me|regarding this|first|again|on this|with this|to [talk|speak|chat] [to|with]',
    about: 'about|because|cause|cuz|regarding|concerning|since|with regard to|with regards to|in regards to',
  },
  de: {
    want: '[kann|könnte] mir|[kann|könnte|darf|dürfte|muss] [ich|man|wir] [|bitte|hier|auch|mal|jetzt]|[ich|wir] [möchte|will|würde|wünsche|muss|hätte|brauche|würd|wollte|möchten|wollen|verlange] [|gern|gerne|bitte|jetzt|lieber|endlich|einfach|nur]|[|ich] [möchte|will] [|gern|gerne|bitte]|lass mich|lassen sie mich|[können|könnten|könnt] [sie|ihr] [|mich|mir|bitte|mich bitte|mir bitte]|[kannst|könntest] du [|mich|mir|bitte]|ist es möglich|besteht die möglichkeit|gerne|lieber|mal|endlich|direkt',
    how: 'wie [kann|könnte|komme] ich|wo kann ich|wie erreiche ich|wo erreiche ich',
    speak:
      'sprechen|reden|chatten|schreiben|zu sprechen|zu reden|unterhalten|telefonieren lassen|verbinden|weiterleiten|weitergeleitet werden|verbunden werden|durchstellen|[verbinde|verbinden sie|verbindet] mich [|bitte|mal|jetzt]|[leite|leiten sie] mich [|bitte] [|weiter]|[stell|stellen sie] mich [|bitte] [durch zu|zu]|weiter|durch|[sprich|sprechen] lassen',
    get: 'ich [brauche|will|möchte|hätte gern|hätte gerne|verlange] [|bitte|jetzt|sofort]|[gib|geben sie|hol|holen sie|ruf|rufen sie|schick|schicken sie] [|mir|bitte] [|bitte]|gibt es [|hier|bei ihnen|bei euch]|ist [hier|da|dort]|[kann|könnte|kannst|können] [ich|sie|du] [mir|] [|bitte]|[|bitte] [bekommen|haben|holen|schicken|rufen|geben]|her|will|kontaktieren|kontakt aufnehmen',
    a: 'ein|eine|einen|einem|einer|mit|zu|an|den|dem|die|der|richtigen|richtiger|richtige|echten|echter|echte|echtem|realen|reale|realer|realem|lebenden|lebendigen|wirklichen|menschlichen|menschlicher|menschliche|irgendeinem|einem eurer|einem ihrer|ihrem|ihren|eurem|euren|ihrer|anderen|zuständigen|kompetenten',
    alone:
      'Mensch|menschen|mitarbeiter|mitarbeiterin|kundenberater|[echter|echten|richtiger|richtigen] [mensch|menschen|mitarbeiter]|[echte|richtige|reale] person|person|kundenbetreuer|menschlicher [mitarbeiter|ansprechpartner|support|berater]|live agent|ansprechpartner|berater|sachbearbeiter|agent|mensch bitte|ich [will|möchte] [nicht mit einem|nicht mit dem|mit keinem] [bot|roboter|chatbot|computer] [reden|sprechen|schreiben|chatten]',
    person:
      'personen|mitarbeitern|mitarbeitenden|beraterin|kollege|kollegen|kollegin|ansprechpartnerin|kundenservice mitarbeiter|support mitarbeiter|supportmitarbeiter|servicemitarbeiter|jemand echtes|jemand echten|jemand echtem|jemand menschliches|operator|vorgesetzten|chef|teammitglied|kundenbetreuerin|kundendienstmitarbeiter|echten menschen',
    anyone:
      'jemand|jemanden|jemandem|irgendwem|kundenservice|kundendienst|kundensupport|support|supportteam|team|experten|fachmann|techniker|hotline|service|vertrieb|euch|ihnen',
    after:
      '[aus|vom|von|im|beim] [|dem|ihrem|eurem|der] [team|support|kundenservice|kundendienst|vertrieb|service|supportteam|abteilung]|statt|stattdessen|direkt|jetzt|sofort|hier|persönlich|da|umgehend|dringend|und [nicht|keinem|kein|keinen] [|mit] [|einem|einer] [bot|roboter|maschine|computer|chatbot|ki]|[nicht|statt] [|mit] [|einem|einer] [bot|roboter|maschine|computer|chatbot|ki]|kein [bot|roboter|chatbot]|keinen [bot|roboter|chatbot]|keine [maschine|ki]|helfen|der mir [helfen kann|hilft]|die mir [helfen kann|hilft]|darüber|dazu|im chat|erreichbar|verfügbar',
    about: 'wegen|über|bezüglich|weil|da|zu meiner|zu meinem|zum thema|es geht um|denn',
  },
  fr: {
    want: '[puis je|pourrais je|est ce que je peux|est ce que je pourrais|peut on|pourrait on|je peux|je pourrais] [|s il vous plaît|svp]|je [veux|voudrais|souhaite|souhaiterais|désire|dois|préfère|préférerais|demande à|veut|voulais] [|bien|juste|vraiment|simplement]|j aimerais [|bien|juste]|[pouvez|pourriez] vous [|me|s il vous plaît me|svp me]|[peux|pourrais] tu me|[tu peux|vous pouvez] me|laissez moi|laisse moi|est il possible de|est ce possible de|possible de|merci de me',
    how: 'comment [puis je|je peux|faire pour|est ce que je peux|pourrais je]|où puis je',
    speak:
      '[parler|discuter|échanger|tchatter|chatter|communiquer|dialoguer|m adresser|m entretenir] [à|avec|au|aux|directement à|directement avec]|parler|[être|] [mis en relation|mis en contact|transféré|transférée|redirigé|connecté] [à|avec|vers|au]|mettre en [relation|contact] avec|me mettre en [relation|contact] avec|[passez|passe|transférez|transfère|mettez|mets|connectez] moi [|en relation avec|en contact avec|à|avec|vers|au]|[transférer|rediriger|passer|connecter] [|vers|à|au]',
    get: 'je [veux|voudrais|souhaite|demande|préfère] [|avoir|juste]|j ai besoin d|j ai besoin de|j aimerais [|avoir]|il me faut|donnez moi|donne moi|[passez|passe] moi|appelez moi|appelez|y a t il|est ce qu il y a|il y a|avoir|joindre|contacter',
    a: 'un|une|de|d|vrai|vraie|à un|à une|avec un|avec une|l|le|la|des|réel|réelle|autre|à|avec|au|vos|votre|de vos|un de vos|l un de vos|en chair et en os',
    alone:
      'humain|être humain|agent humain|conseiller|conseillère|vraie personne|personne réelle|personne humaine|opérateur|opérateur humain|conseiller humain|conseiller clientèle|agent|assistance humaine|téléconseiller|vrai conseiller|vrai humain|représentant',
    person:
      'personne|opératrice|employé|employée|collègue|collaborateur|membre de [l équipe|votre équipe]|humains|gens|responsable|technicien|interlocuteur|représentant du service client|service client|agent du service client|personne en chair et en os|agents|conseillers',
    anyone:
      'quelqu un|support|équipe|l équipe|votre équipe|service clients|service après vente|sav|assistance|expert|spécialiste|équipe support|support technique',
    after:
      '[de|du|au] [|l|votre] [équipe|support|service client|assistance|service]|directement|maintenant|tout de suite|ici|rapidement|en ligne|de vivant|de réel|d humain|réel|réelle|humain|humaine|vivant|[et|] pas [|à|avec] un [robot|bot|chatbot]|au lieu d un [robot|bot]|plutôt qu un [robot|bot]|qui [peut|puisse] m aider|pour m aider|disponible|à ce sujet|en urgence|vraiment',
    about: 'à propos de|au sujet de|à propos d|au sujet d|concernant|parce que|parce qu|car|pour parler de',
  },
  es: {
    want: '[puedo|podría|podríamos|podemos|se puede|me gustaría|quiero|quisiera|necesito|deseo|prefiero|preferiría|quería|exijo|tengo que|me puedes|me puede|me podrías|me podría|pueden|puede|puedes|podrías|podría usted] [|por favor|ya|ahora]|[déjame|déjeme]|es posible|sería posible|yo [quiero|necesito]|solo quiero|lo que quiero es',
    how: 'cómo [puedo|podría|hago para|se puede]|dónde puedo',
    speak:
      '[hablar|hablarle|chatear|comunicarme|conversar|comunicar|conectar|conectarme|platicar|ponerme en contacto|charlar|que me comuniquen|pasarme|comunicarme directamente|hablar directamente] [con|a]|[comuníqueme|comunícame|conécteme|conéctame|páseme|pásame|transfiérame|transfiéreme|póngame|ponme|derívame|derívenme|comuníquenme|pásenme] [|en contacto] [con|a]|[pasar|pasarme|transferir|transferirme|poner|comunicar|derivar] [con|a]|ser atendido por|que me atienda|que me atiendan|atienda',
    get: '[quiero|necesito|deseo|exijo|quisiera|prefiero] [|a]|[deme|dame|páseme|pásame|llame a|llama a|llamen a|tráeme|ponme|póngame] [|con]|hay|está|tienen|pido|solicito|me atienda|que me atienda|que conteste|contactar [con|a|]',
    a: 'un|una|el|la|algún|alguna|con|verdadero|verdadera|real|otro|otra|con un|con una|a un|a una|los|su|sus|tu|de sus',
    alone:
      'persona|humano|humana|ser humano|agente|persona real|persona humana|agente humano|agente real|asesor|asesora|operador|operadora|representante|ejecutivo|persona de verdad|asistente humano|agente en vivo|humano real|operador humano|asesor humano|atención humana',
    person:
      'personas|empleado|empleada|colega|compañero|compañera|alguien real|alguien humano|alguien de verdad|supervisor|encargado|responsable|gerente|atención al cliente|servicio al cliente|miembro del equipo|consultor|agentes|trabajador|telefonista|agente de atención al cliente|representante de servicio al cliente',
    anyone:
      'alguien|soporte|equipo|el equipo|soporte técnico|servicio técnico|técnico|experto|especialista|ustedes|vosotros|ventas',
    after:
      '[de|del|en] [|la|su|el|tu] [equipo|soporte|empresa|atención al cliente|servicio al cliente|ventas|compañía]|directamente|ahora|ahora mismo|ya|aquí|en persona|de verdad|real|humano|humana|urgentemente|[y|] no [|con|a] [|un|una|el] [bot|robot|máquina|chatbot]|en [vez|lugar] de [un|una] [bot|robot|máquina|chatbot]|que [me|] [pueda ayudar|pueda ayudarme|ayude]|para que me ayude|disponible|en línea|sobre esto|al respecto',
    about: 'sobre|acerca de|acerca del|porque|respecto a|por el tema de|ya que|para hablar de',
  },
  it: {
    want: '[posso|potrei|possiamo|si può|vorrei|voglio|ho bisogno di|devo|desidero|preferisco|preferirei|mi piacerebbe|volevo] [|per favore]|[mi|ci] [può|puoi|potrebbe|potresti|potete|fa|fai|faccia] [|per favore]|[fammi|fatemi|mi faccia|mi fai|mi fate]|è possibile|sarebbe possibile|lasciami',
    how: 'come [posso|faccio a|si fa a|potrei]|dove posso',
    speak:
      '[parlare|parlarne|chattare|comunicare|conversare|interagire|parlare direttamente|essere messo in contatto|mettere in contatto|mettermi in contatto|mettere in comunicazione|entrare in contatto|scrivere] [|con|a]|[passami|mi passi|passatemi|mi passa|passare|passarmi] [|a|con]|[mettimi|mi metta|mettetemi] in [contatto|comunicazione] con|[trasferiscimi|mi trasferisca|trasferire] a',
    get: '[voglio|vorrei|ho bisogno di|mi serve|desidero|preferisco|preferirei] [|avere]|[dammi|datemi|mi dia|passami|mi passi|chiama|chiami|chiamate|chiamami]|c è|avere|contattare',
    a: 'un|una|uno|il|la|lo|l|vero|vera|reale|con|qualche|altro|altra|con un|con una|con l|con il|dei vostri|vostro|in carne e ossa|umano|umana',
    alone:
      'persona|umano|essere umano|operatore|operatrice|operatore umano|persona reale|persona vera|agente|agente umano|consulente|persona umana|assistente umano|rappresentante|operatore reale|addetto',
    person:
      'persone|impiegato|dipendente|collega|responsabile|addetta|qualcuno di reale|qualcuno in carne e ossa|servizio clienti|assistenza clienti|membro del [team|vostro team]|supervisore|agente del servizio clienti|operatori|tecnico',
    anyone:
      'qualcuno|supporto|assistenza|team|il team|vostro team|supporto tecnico|assistenza tecnica|esperto|specialista|staff|voi',
    after:
      '[del|dello|della|dell] [|vostro|vostra] [team|staff|supporto|assistenza|servizio clienti|azienda]|direttamente|adesso|ora|subito|qui|di persona|reale|vero|vera|umano|umana|in carne e ossa|[e|] non [|con] [un|una|il|] [bot|robot|macchina|chatbot]|invece [di|che] [un|una|con un] [bot|robot|macchina|chatbot]|che [può|possa] aiutarmi|che mi [possa aiutare|aiuti|può aiutare]|disponibile|urgentemente|per favore',
    about: 'riguardo a|riguardo al|riguardo|circa|perché|per parlare di|a proposito di|in merito a',
  },
  pt: {
    want: '[posso|poderia|podia|podemos|gostaria de|gostava de|quero|queria|preciso|preciso de|desejo|prefiro|preferia|tem como|dá para|dá pra|eu quero|eu preciso|eu gostaria de|só quero|só queria] [|por favor]|[pode|podes|podem|poderia|você pode] [|me|por favor]|[deixe|deixa] me|me [deixe|deixa]|é possível|seria possível|quero muito',
    how: 'como [posso|faço para|faço pra|eu faço para|consigo]|onde posso',
    speak:
      '[falar|conversar|chatear|teclar|comunicar|ser atendido|ser atendida|falar diretamente|falar directamente] [|com|por|a]|[me passa|me passe|passe me|passa me|me transfira|transfira me|me transfere|me conecte|me coloca em contato|ponha me em contacto|me coloque em contato|me encaminhe|encaminhe me|transferir|passar|ligar me|ligue me] [para|com|a]',
    get: '[quero|queria|preciso|preciso de|gostaria de|prefiro|exijo|desejo|eu quero|eu preciso de] [|ter]|[me dê|dê me|me chame|chame|chama|me chama|me passa|passe me|manda]|[há|tem|existe] [|aí|aqui]|solicito|[contactar|contatar|entrar em contato|entrar em contacto] [|com]',
    a: 'um|uma|o|a|algum|alguma|com|real|verdadeira|verdadeiro|outro|outra|com um|com uma|do|da|de um|de uma|os|seu|vosso|dos seus|de verdade',
    alone:
      'pessoa|humano|humana|ser humano|atendente|agente|atendente humano|pessoa real|pessoa de verdade|pessoa humana|agente humano|operador|operadora|assistente humano|representante|atendimento humano|assistente real|consultor',
    person:
      'pessoas|funcionário|funcionária|colega|colaborador|colaboradora|alguém real|alguém de verdade|alguém humano|supervisor|gerente|responsável|atendimento ao cliente|apoio ao cliente|serviço de apoio ao cliente|membro da [equipa|equipe|vossa equipa]|atendentes|suporte humano|técnico',
    anyone:
      'alguém|suporte|equipa|equipe|a equipa|a equipe|suporte técnico|assistência|assistência técnica|especialista|vocês|vendas',
    after:
      '[da|do|de] [|sua|vossa] [equipa|equipe|suporte|empresa|atendimento|apoio ao cliente|vendas|assistência]|diretamente|agora|já|aqui|urgente|urgentemente|pessoalmente|de verdade|real|humano|humana|[e|] não [|com] [|um|uma|o] [bot|robô|robot|máquina|chatbot]|em vez de [um|uma] [bot|robô|robot|máquina|chatbot]|que [possa|me possa] [|me] ajudar|que me ajude|para me ajudar|disponível|sobre isso|online',
    about: 'sobre|acerca de|a respeito de|porque|por causa de|para falar de|para falar sobre|pois',
  },
  nl: {
    want: '[kan|kun|mag|zou|moet] [ik|je|u|jullie] [|mij|me|even|alstublieft|graag|misschien|niet|hier]|ik [wil|zou|moet|wens|zou graag|wil graag|wil even|wil nu|wil liever|heb liever|wilde] [|graag|even|gewoon]|[kunt|kunnen] [u|jullie] [|mij|me] [|even|alstublieft]|laat me|laat mij|is het mogelijk [|om]|graag|even|liever|willen|wil|kan',
    how: 'hoe [kan|kom|krijg] ik [|in contact]|waar kan ik',
    speak:
      '[praten|spreken|chatten|te praten|te spreken|overleggen] [|met]|[verbind|verbindt|schakel|zet] [me|mij] [|door|over] [|met|naar|aan]|doorverbinden|doorverbonden worden|doorverbonden|doorgeschakeld worden|verbonden worden|in contact [komen|brengen] [|met]|door|te krijgen',
    get: 'ik [wil|heb|zou graag|wil graag|wens] [|nodig|graag]|[geef|haal|roep|stuur|bel] [|me|mij] [|even]|is er [|hier|ook]|zijn er|mag ik|kan ik|nodig|hebben|krijgen|nodig heb|contact [opnemen|hebben|krijgen] [|met]',
    a: 'een|de|het|met|echte|echt|menselijke|levende|met een|met de|andere|iemand|jullie|uw|aan een|naar een|van jullie|van vlees en bloed',
    alone:
      'medewerker|mens|persoon|echte [persoon|mens|medewerker]|echt [persoon|mens|iemand]|menselijke medewerker|klantenservicemedewerker|agent|menselijk contact|live [agent|medewerker]|medewerkster|levend persoon|echt mens|klantenservice medewerker',
    person:
      'mensen|collega|iemand echt|personeel|personeelslid|teamlid|adviseur|operator|consulent|vertegenwoordiger|leidinggevende|manager|helpdeskmedewerker|supportmedewerker|klantenservice|medewerkers|echt persoon',
    anyone:
      'iemand|support|het team|team|jullie team|klantendienst|helpdesk|technische dienst|specialist|expert|jullie|verkoop',
    after:
      '[van|uit|bij] [|het|de|jullie|uw] [team|support|klantenservice|helpdesk|verkoop|bedrijf|klantendienst]|direct|nu|meteen|hier|persoonlijk|graag|snel|dringend|en [geen|niet met een] [robot|bot|chatbot|computer|machine]|[geen|niet met een] [robot|bot|chatbot|computer|machine]|in plaats van [een|met een] [robot|bot|chatbot|computer]|die me kan helpen|die mij kan helpen|beschikbaar|aan de lijn|hierover',
    about: 'over|omdat|vanwege|want|betreffende|in verband met|wegens',
  },
  ja: {
    want: 'お願い|ください|すぐに|直接|ちゃんと|今すぐ|できれば|やっぱり|もう',
    speak:
      '[と|に|へ] [話したい|話がしたい|話をしたい|お話したい|お話ししたい|相談したい|話せますか|話せる|話すことはできますか|話したいです|話がしたいです|話をしたいです|お話ししたいです|お話したいです|相談したいです|相談できますか|話したいのですが|話がしたいのですが|チャットしたい|チャットしたいです|話させてください|話させて|つないでください|繋いでください|つないで|繋いで|つなげてください|繋げてください|つないでほしい|繋いでほしい|つないで頂けますか|つないでいただけますか|代わってください|代わって|かわってください|連絡したい|連絡を取りたい|連絡を取りたいです|転送してください|交代してください|変わってください|話しますか|話せませんか|問い合わせたい|やり取りしたい|話す]|[に|が] [対応してほしい|対応してほしいです|対応してください|対応して|答えてほしい|聞きたい|聞きたいです|お願いします|お願い|お願いしたい|お願いしたいです]|[の|による] [対応|サポート] [を|が] [希望|希望します|お願いします|ほしい|欲しい|受けたい|受けたいです]',
    get: '[を|は|が] [呼んでください|呼んで|お願いします|お願い|出してください|出して|いますか|いませんか|希望します|希望|呼んでほしい|呼んでもらえますか|欲しい|ほしい|ほしいです|お願いできますか]|を 出せ|希望',
    a: '本物の|生身の|人間の|別の|他の|実際の|リアルな|御社の|サポートの|カスタマーサービスの|コールセンターの|チームの|誰か|だれか|そちらの',
    alone:
      '担当者|オペレーター|オペレータ|有人対応|有人チャット|人間|有人|人間の担当者|人間のオペレーター|係の人|生身の人間|人間お願いします|エージェント',
    person:
      '人|スタッフ|社員|係員|担当の人|担当の方|サポート担当者|カスタマーサポート|カスタマーサービス|同僚|責任者|上司|店員|従業員|方|担当',
    anyone: '誰か|だれか|サポート|チーム|窓口|コールセンター',
    after:
      'です|か|を|は|に|で|ボット じゃなくて|ボット ではなく|ロボット ではなく|ai ではなく|機械 ではなく',
    about: 'について|に関して|の件で|なので|から|ので',
  },
  zh: {
    want: '[我|我们] [想|要|想要|需要|希望|可以|能|能不能|可不可以|只想|就想|必须|更想|宁愿] [|直接|和|跟|与]|[可以|能|能不能|可不可以|能否|可否|请问可以|麻烦] [|让我|帮我|帮忙|请]|[请|麻烦|帮我|给我|让我|快|请帮我|麻烦帮我]|想|要|直接|我|能|可以',
    how: '[怎么|如何|怎样] [|才能|才可以|可以|能]|在哪里可以',
    speak:
      '[和|跟|与|同|找|转|转接|转到|接|接通|切换到|换|连接|转给|转接到|对接|聊]|[说话|说|谈|谈谈|聊|聊天|聊聊|对话|沟通|通话|交流|交谈|讲话|讲]',
    get: '[找|叫|换|要|需要|来|派|给我|帮我找|帮我叫|想要|呼叫|有没有|有|想找|请|转]',
    a: '一个|个|一位|位|真正的|真实的|真|活|你们的|您们的|人类|你们|贵公司的|别的|一名|名|你们公司的|人工',
    alone:
      '人工|人工客服|真人|真人客服|人工服务|转人工|客服人员|人工坐席|真人服务|客服|人工座席|在线客服|人工帮助|活人|转接人工|人工人工|联系 [人工|人工客服|真人]',
    person:
      '人|人类|工作人员|客服代表|客服专员|专员|员工|同事|经理|主管|负责人|人员|接线员|代表|顾问|真的人|坐席',
    anyone: '人|技术支持|团队|客服团队|支持团队|专家|技术人员|某人',
    after:
      '吗|吧|么|呢|啊|了|可以吗|好吗|行吗|行不行|在吗|谢谢|来|一下|不要 [机器人|ai]|不是 [机器人|ai]|而不是 [机器人|ai]|别 机器人|帮我|处理|解决|服务|回答|回复|帮忙|直接|现在|马上|立刻',
    about: '关于|因为|有关',
  },
  th: {
    want: '[ขอ|อยาก|ต้องการ|อยากจะ|อยากขอ|ขออนุญาต|ช่วย|กรุณา|รบกวน|สามารถ|ฉันอยาก|ฉันต้องการ|ผมอยาก|ผมต้องการ|ดิฉันต้องการ|หนูอยาก|เราอยาก] [|จะ]|ฉัน|ผม|ดิฉัน|หนู',
    how: '[จะ|] [ติดต่อ|คุยกับ] ยังไง',
    speak:
      '[คุย|พูด|สนทนา|พูดคุย|แชท|ปรึกษา|คุยสาย] [|กับ]|[ติดต่อ|โอนสายไปยัง|โอนสายให้|โอนสาย|ต่อสาย|โอนไปหา|เชื่อมต่อกับ|ส่งต่อให้|ต่อสายไปยัง] [|กับ]',
    get: '[ขอ|เรียก|ตาม|ขอสาย|อยากได้|ต้องการ|มี|ขอพบ|เรียกหา]',
    a: 'ที่เป็น|จริง|จริงๆ|ของคุณ|ตัวเป็นๆ|ที่เป็นคน',
    alone: 'เจ้าหน้าที่|พนักงาน|แอดมิน|คนจริง|คนจริงๆ|มนุษย์|เจ้าหน้าที่จริง|พนักงานจริง|แอดมินตัวจริง|คนจริงๆ ครับ',
    person:
      'คน|โอเปอเรเตอร์|ตัวแทน|ทีมงาน|ฝ่ายบริการลูกค้า|เพื่อนร่วมงาน|ผู้จัดการ|หัวหน้า|ฝ่ายลูกค้าสัมพันธ์|เจ้าหน้าที่บริการลูกค้า|คอลเซ็นเตอร์',
    anyone: 'ใครสักคน|ใคร|ใครก็ได้|ฝ่ายสนับสนุน|ทีม|ผู้เชี่ยวชาญ|ช่าง',
    after:
      'ได้ไหม|ได้มั้ย|ได้หรือไม่|ไหม|มั้ย|หน่อย|ด้วย|ที|ครับ|ค่ะ|คะ|นะคะ|นะครับ|ตอนนี้|เดี๋ยวนี้|ไม่ใช่บอท|ไม่เอาบอท|ได้ไหมครับ|ได้ไหมคะ|โดยตรง|จริงๆ|เลย|ได้|อยู่ไหม|หน่อยค่ะ|หน่อยครับ|แทน|สักคน|บ้าง',
    about: 'เรื่อง|เกี่ยวกับ|เพราะ',
  },
  sv: {
    want: '[kan|får|skulle|måste] jag [|få|kunna|vilja]|jag [vill|skulle vilja|behöver|önskar|måste|vill gärna|vill hellre|skulle gärna vilja|skulle hellre vilja|föredrar att] [|gärna|bara|få]|[kan|kunde|skulle] [du|ni] [|kunna]|låt mig|är det möjligt att|går det att|vill|få',
    how: 'hur [kan|gör|får|kommer] jag [|för att|i kontakt med]|var kan jag',
    speak:
      '[prata|tala|chatta|snacka|kommunicera] [|med]|[koppla|förflytta|flytta] mig [|till|vidare till]|[bli|] kopplad till|[komma|få] i kontakt med|få prata med',
    get: '[jag|] [vill|behöver|önskar|skulle vilja] [ha|]|[ge|hämta|skicka|ring] [|mig]|finns det|är det|få|ha|ring|kontakta|nå|få kontakt med',
    a: 'en|ett|den|någon|riktig|riktigt|verklig|levande|mänsklig|mänskligt|äkta|er|era|av era|annan|någon av era|med',
    alone:
      'person|människa|mänsklig agent|[riktig|levande|verklig] [person|människa]|medarbetare|handläggare|agent|kundtjänstmedarbetare|mänsklig [medarbetare|handläggare|kontakt|support]|operatör',
    person:
      'personal|människor|kollega|anställd|representant|teammedlem|rådgivare|riktig någon|chef|supportmedarbetare|kundtjänst|kundservice|kundsupport|från personalen|handläggare|någon riktig',
    anyone: 'någon|supporten|support|teamet|ert team|er|tekniker|expert|helpdesk|säljare',
    after:
      '[från|på|i|hos] [|ert|er] [teamet|team|support|supporten|kundtjänst|kundservice|företaget]|direkt|nu|här|istället|i stället|personligen|genast|snarast|[och|] inte [|med] en [bot|robot|chatbot|maskin]|[istället för|i stället för] en [bot|robot|chatbot]|som kan hjälpa mig|på riktigt|tillgänglig|om detta',
    about: 'om|angående|eftersom|därför att|för att|gällande',
  },
  da: {
    want: '[kan|må|kunne|skal] jeg [|få lov at|komme til at|få lov til at|gerne|ikke]|jeg [vil|ønsker|skal|vil gerne|ville gerne|vil hellere|foretrækker at|har brug for] [|at|gerne|bare]|[kan|kunne|vil] [du|i] [|ikke]|lad mig|er det muligt at|vil gerne|gerne',
    how: 'hvordan [kan|får|kommer] jeg [|til at|i kontakt med]|hvor kan jeg',
    speak:
      '[tale|snakke|chatte|skrive] [|med]|[stil|stille|omstil|viderestil|omstille|sæt|sætte] mig [|om|videre|igennem|i forbindelse] [|til|med]|[blive|] [omstillet|viderestillet|stillet om|stillet igennem] til|[komme|få] [i kontakt|kontakt|fat] [med|i]|komme i kontakt med|få fat i|i kontakt med',
    get: '[jeg|] [vil|skal|ønsker|vil gerne|vil gerne have|vil have|har brug for|skal bruge] [|have]|[giv|hent|send|ring] [|mig|efter]|[er|findes] der|have|få|kontakte',
    a: 'en|et|den|rigtig|rigtigt|ægte|levende|menneskelig|menneskeligt|nogen|jeres|anden|af jeres|virkelig|med|virkeligt',
    alone:
      'person|menneske|medarbejder|[rigtig|levende|ægte] person|[rigtigt|levende|ægte] menneske|kundeservicemedarbejder|menneskelig [medarbejder|agent|support]|agent|kundeservice medarbejder|rådgiver',
    person:
      'mennesker|kollega|ansat|repræsentant|supportmedarbejder|personale|operatør|teammedlem|kundeservice|kundesupport|chef|sagsbehandler|konsulent|nogen rigtig',
    anyone: 'nogen|en|jer|support|supporten|teamet|jeres team|tekniker|ekspert|helpdesk|en fra',
    after:
      '[fra|i|hos] [|jeres] [teamet|team|support|supporten|kundeservice|virksomheden]|direkte|nu|her|i stedet|personligt|med det samme|straks|[og|] ikke [|med] en [bot|robot|chatbot|maskine]|i stedet for en [bot|robot|chatbot]|der kan hjælpe [|mig]|som kan hjælpe [|mig]|tilgængelig|om det',
    about: 'om|angående|fordi|vedrørende|da',
  },
  no: {
    want: '[kan|får|kunne|må|skal] jeg [|få|lov til å|få lov til å]|jeg [vil|ønsker|må|vil gjerne|ville gjerne|vil heller|foretrekker å|trenger] [|å|gjerne|bare|få]|[kan|kunne|vil] [du|dere]|la meg|er det mulig å|går det an å|vil gjerne|få|gjerne',
    how: 'hvordan [kan|får|kommer] jeg [|i kontakt med]|hvor kan jeg',
    speak:
      '[snakke|prate|chatte|snakka|skrive] [|med|til]|[sett|sette|koble|overfør|sett over] meg [|over|i kontakt|videre|gjennom] [|til|med]|[bli|] [satt over|overført|koblet] til|[komme|få] [i kontakt|kontakt|tak] [med|i]|i kontakt med',
    get: '[jeg|] [vil|trenger|ønsker|vil gjerne|vil gjerne ha|vil ha|må ha] [|ha|å ha]|[gi|hent|send|ring] [|meg]|[er|finnes] det|ha|få|kontakte',
    a: 'en|et|den|ekte|virkelig|levende|menneskelig|noen|deres|annen|av deres|med',
    alone:
      'person|menneske|medarbeider|kundebehandler|[ekte|levende|virkelig] [person|menneske]|menneskelig [medarbeider|agent|support|hjelp]|kundeservicemedarbeider|agent|saksbehandler|kunderådgiver',
    person:
      'mennesker|kollega|ansatt|representant|rådgiver|personale|operatør|teammedlem|kundeservice|kundestøtte|sjef|konsulent|kundesenter|noen ekte',
    anyone: 'noen|dere|support|supporten|brukerstøtte|teamet|teamet deres|tekniker|ekspert|helpdesk',
    after:
      '[fra|i|hos|på] [|deres] [teamet|team|support|supporten|kundeservice|bedriften|kundesenteret]|direkte|nå|her|i stedet|isteden|personlig|med en gang|straks|[og|] ikke [|med] en [bot|robot|chatbot|maskin]|i stedet for en [bot|robot|chatbot]|som kan hjelpe [|meg]|tilgjengelig|om dette',
    about: 'om|angående|fordi|vedrørende|siden',
  },
  fi: {
    want: '[voinko|voisinko|saanko|saisinko|pääsenkö|pääsisinkö|voiko] [|minä|mä]|[haluan|haluaisin|tahdon|tarvitsen|tahtoisin|minä haluan|mä haluan|minun täytyy|minun pitää|pitäisi päästä] [|nyt|vain|mieluummin]|[voitko|voisitko|voitteko|voisitteko] [|sinä]|onko mahdollista|päästä|haluan päästä|mieluummin',
    how: 'miten [voin|pääsen|saan]|missä voin',
    speak:
      '[puhua|jutella|keskustella|puhumaan|juttelemaan|keskustelemaan|chatata|chattailla|puhuisin|puhelisin]|[yhdistä|yhdistäkää|siirrä|siirtäkää|ohjaa|ohjatkaa|yhdistäisitkö|yhdistää|siirtää] [|minut|mut]|yhteyden|saada yhteys|yhteyttä|yhteys',
    get: '[haluan|haluaisin|tarvitsen|tahdon|saanko|saisinko|saako] [|saada]|[anna|antakaa|kutsu|hae|soita|pyydä] [|minulle|mulle|paikalle]|onko [|siellä|täällä|teillä]|paikalle|ottaa yhteyttä',
    a: 'oikea|oikean|oikealle|oikeaa|elävä|elävän|aito|aidon|todellisen|joku|jonkun|jollekin|teidän|toinen|toisen|ihan|yksi',
    alone:
      'ihminen|asiakaspalvelija|[oikea|elävä|aito] [ihminen|henkilö|asiakaspalvelija]|henkilö|ihmisen|asiakaspalvelijan|agentti|[oikean|elävän|aidon] ihmisen|virkailija|työntekijä',
    person:
      'ihmisen kanssa|ihmiselle|henkilön kanssa|asiakaspalvelijan kanssa|asiakaspalvelijalle|työntekijän kanssa|työntekijälle|virkailijan kanssa|virkailijalle|henkilölle|edustajan kanssa|kollegan kanssa|kollega|kollegan|operaattorin kanssa|ihmistä|ihmiseen|asiakaspalvelijaan|asiakaspalvelun kanssa|asiakaspalveluun|edustaja|esimiehen kanssa|agentin kanssa|ihmisten kanssa',
    anyone:
      'jonkun kanssa|jollekulle|jollekin|tukeen|tuen kanssa|tiimin kanssa|teidän kanssanne|asiantuntijan kanssa|joku',
    after:
      '[asiakaspalvelusta|tuesta|tiimistä|tiimistänne]|nyt|heti|suoraan|täällä|mieluummin|sijaan|eikä [botin|robotin|koneen] kanssa|ei [botin|robotin|koneen] kanssa|[botin|robotin] sijaan|joka voi auttaa|paikalla|kanssa|asiasta|tästä',
    about: 'koska|liittyen|koskien|sillä',
  },
  pl: {
    want: '[czy|] [mogę|mógłbym|mogłabym|można|możemy|da się|jest możliwość|możliwe jest] [|prosić o|prosić|poprosić|poprosić o|jakoś]|[chcę|chciałbym|chciałabym|chce|chciałem|wolę|wolałbym|wolałabym|muszę|potrzebuję|pragnę|poproszę o|proszę o|proszę|prosze|poproszę] [|bym|o|teraz]|[możesz|możecie|może pan|może pani|czy możesz|czy możecie] [|mnie|mi]|pozwól mi|daj mi',
    how: 'jak [mogę|można|się]|gdzie mogę',
    speak:
      '[porozmawiać|rozmawiać|pogadać|skontaktować się|czatować|popisać|pomówić|rozmowy|rozmowę|kontakt|kontaktu|połączenie|połączenia|gadać|mówić|skontaktowanie] [|się] [|z]|[połącz|połączcie|połączyć|przełącz|przełączcie|przełączyć|przekieruj|przekierować|skontaktuj|przekierujcie|proszę połączyć|proszę mnie połączyć|proszę przełączyć] [|mnie] [|z|do|na]',
    get: '[chcę|chce|potrzebuję|chciałbym|chciałabym|poproszę|proszę o|wolę|wymagam|żądam|prosze o|proszę|daj mi|dajcie mi|zawołaj|wezwij|poproś|poproście|zadzwoń po|sprowadź|czy jest|jest|czy jest tam|czy jest tu]',
    a: 'z|ze|do|na|prawdziwym|prawdziwą|prawdziwego|prawdziwy|żywym|żywą|żywego|żywy|jakimś|jakąś|jakiegoś|waszym|innym|innego|jednym z waszych|jakiś|realnym|realną',
    alone:
      'człowiek|konsultant|człowieka|konsultanta|[prawdziwy|żywy] człowiek|osoba|prawdziwa osoba|agent|pracownik|doradca|żywa osoba|[prawdziwego|żywego] człowieka|konsultantka|operator',
    person:
      'człowiekiem|konsultantem|konsultantką|osobą|pracownikiem|doradcą|agentem|ludźmi|kolegą|kolegę|przedstawicielem|przedstawiciela|pracownika|doradcę|operatorem|operatora|kierownikiem|kierownika|przełożonym|osoby|osobę|ludzi|obsługą klienta|biurem obsługi klienta|człowiekowi|przedstawiciel|agenta|konsultantom|pracownikiem obsługi',
    anyone:
      'kimś|kimkolwiek|kogoś|supportem|wsparciem|pomocą techniczną|zespołem|waszym zespołem|wami|specjalistą|technikiem|ekspertem|działem obsługi',
    after:
      '[z|ze] [|waszego|państwa] [zespołu|supportu|obsługi klienta|obsługi|wsparcia|firmy|biura]|teraz|natychmiast|bezpośrednio|tutaj|tu|osobiście|pilnie|a nie z [botem|robotem|maszyną]|nie z [botem|robotem|maszyną]|zamiast [bota|robota|z botem|z robotem]|nie [bot|robot|bota]|kto mi pomoże|który mi pomoże|dostępny|w tej sprawie|jakiś|proszę',
    about: 'o|w sprawie|ponieważ|bo|na temat|dotyczące|gdyż',
  },
  cs: {
    want: '[mohu|můžu|mohl bych|mohla bych|můžeme|je možné|šlo by|dá se|lze|mohl|mohla] [|si|prosím|tady]|[chci|chtěl bych|chtěla bych|potřebuji|potřebuju|přeji si|rád bych|ráda bych|raději bych|musím|chtěl|chtěla|radši bych] [|si|prosím|teď]|[můžete|můžeš|mohli byste|mohl byste|mohl bys] [|mě|mi]|prosím|nechte mě|bych|si',
    how: 'jak [mohu|můžu|se mohu|se můžu|se]|kde mohu|kde můžu',
    speak:
      '[mluvit|promluvit|promluvit si|hovořit|popovídat si|chatovat|bavit se|komunikovat|psát si|pohovořit|spojení|spojit se|spojit] [|si|se] [|s|se]|[přepojte|přepoj|spojte|spoj|přepojit|přesměrujte|předejte|přesměrovat|přepnout|přepněte] [|mě] [|na|s|k]',
    get: '[chci|potřebuji|potřebuju|chtěl bych|chtěla bych|požaduji|vyžaduji|dejte mi|dej mi|zavolejte|zavolej|pošlete|přivolejte|seženěte mi|je tam|je tu|je zde|máte|prosím|prosil bych|prosila bych]|kontaktovat',
    a: 's|se|na|k|skutečným|skutečného|skutečnou|skutečný|živým|živého|živou|živý|opravdovým|opravdového|opravdový|nějakým|nějakého|nějakou|vaším|jiným|reálným|reálnou|někým|jedním z vašich',
    alone:
      'člověk|operátor|člověka|operátora|[živý|skutečný|opravdový] člověk|[živého|skutečného|opravdového] člověka|osoba|skutečná osoba|agent|pracovník|poradce|zaměstnanec|asistent člověk|živá osoba|operátorka',
    person:
      'člověkem|operátorem|operátorkou|osobou|pracovníkem|poradcem|agentem|zaměstnancem|lidmi|kolegou|kolegu|zástupcem|zástupce|pracovníka|zaměstnance|agenta|asistentem podpory|nadřízeným|vedoucím|osobu|zákaznickým servisem|zákaznickou podporou|lidskou podporou|lidským operátorem|specialistou podpory|pracovnicí',
    anyone:
      'někým|někoho|podporou|technickou podporou|týmem|vaším týmem|vámi|odborníkem|technikem|kýmkoliv|supportem',
    after:
      '[z|ze|od] [|vašeho|vaší] [týmu|podpory|zákaznické podpory|firmy|supportu]|hned|teď|ihned|přímo|tady|zde|osobně|naléhavě|a ne s [botem|robotem|strojem]|ne s [botem|robotem|strojem]|místo [bota|robota|s botem]|kdo mi pomůže|který mi pomůže|k dispozici|ohledně toho|o tom',
    about: 'o|ohledně|protože|kvůli|týkající se|neboť',
  },
  sk: {
    want: '[môžem|mohol by som|mohla by som|môžeme|je možné|dá sa] [|si|sa|prosím|tu]|[chcem|chcel by som|chcela by som|potrebujem|želám si|rád by som|rada by som|radšej by som|musím|chcel|chcela] [|si|sa|prosím|teraz]|[môžete|môžeš|mohli by ste|mohol by si] [|ma|mi]|prosím|nechajte ma|by som|si|sa',
    how: 'ako [môžem|sa môžem|sa|si môžem]|kde môžem',
    speak:
      '[hovoriť|porozprávať sa|rozprávať|rozprávať sa|porozprávať|chatovať|baviť sa|komunikovať|písať si|spojenie|spojiť sa|spojiť|pohovoriť] [|si|sa] [|s|so]|[prepojte|prepoj|spojte|spoj|prepojiť|presmerujte|presmerovať|prepnite] [|ma] [|na|s|so|k]',
    get: '[chcem|potrebujem|chcel by som|chcela by som|požadujem|vyžadujem|dajte mi|daj mi|zavolajte|zavolaj|pošlite|privolajte|je tam|je tu|máte|prosím|prosil by som|prosila by som]|kontaktovať',
    a: 's|so|na|k|skutočným|skutočného|skutočnou|skutočný|živým|živého|živou|živý|naozajstným|naozajstného|naozajstný|nejakým|nejakého|nejakou|vaším|iným|reálnym|reálnou|niekým|jedným z vašich',
    alone:
      'človek|operátor|človeka|operátora|[živý|skutočný] človek|[živého|skutočného] človeka|osoba|skutočná osoba|agent|pracovník|poradca|zamestnanec|živá osoba|operátorka',
    person:
      'človekom|operátorom|operátorkou|osobou|pracovníkom|poradcom|agentom|zamestnancom|ľuďmi|kolegom|kolegu|zástupcom|zástupcu|pracovníka|zamestnanca|agenta|nadriadeným|vedúcim|osobu|zákazníckym servisom|zákazníckou podporou|ľudskou podporou|ľudským operátorom|pracovníčkou',
    anyone:
      'niekým|niekoho|podporou|technickou podporou|tímom|vaším tímom|vami|odborníkom|technikom|supportom',
    after:
      '[z|zo|od] [|vášho|vašej] [tímu|podpory|zákazníckej podpory|firmy]|hneď|teraz|ihneď|priamo|tu|osobne|súrne|a nie s [botom|robotom|strojom]|nie s [botom|robotom|strojom]|namiesto [bota|robota|s botom]|kto mi pomôže|ktorý mi pomôže|k dispozícii|o tom',
    about: 'o|ohľadom|pretože|lebo|kvôli|týkajúce sa',
  },
  ro: {
    want: '[pot|aș putea|putem|se poate|aș vrea|aș dori|vreau|doresc|am nevoie|trebuie|prefer|voiam] [|să|vă rog să|și eu să]|[puteți|poți|ați putea|ai putea] [|să mă|să]|lasă mă să|lăsați mă să|este posibil să|e posibil să|să',
    how: 'cum [pot|aș putea|fac] [|să]|unde pot',
    speak:
      '[vorbesc|vorbi|vorbim|discut|discuta|comunic|iau legătura|lua legătura|conversez|să vorbesc|intru în legătură|să discut] [|cu]|[conectați mă|conectează mă|puneți mă|pune mă|transferați mă|transferă mă|dați mi|fă mi|faceți mi|conectați|transferați|pune în legătură|puneți în legătură] [|în legătură|legătura] [|cu|la|către]',
    get: '[vreau|doresc|am nevoie de|aș vrea|aș dori|cer|prefer|dați mi|dă mi|chemați|cheamă|există|este|e acolo|aveți|trimiteți]|contactez|contacta',
    a: 'un|o|cu|pe|cu un|cu o|adevărat|adevărată|real|reală|uman|umană|viu|alt|dintre|vreun|niște|de la|colegii',
    alone:
      'operator|om|persoană|operator uman|[om|persoană] [real|reală|adevărat|adevărată]|agent uman|agent|ființă umană|consultant|reprezentant|persoană fizică|asistent uman|uman|persoana',
    person:
      'oameni|coleg|colegă|angajat|operatorul|consilier|reprezentantul|serviciul clienți|relații clienți|membru al echipei|supervizor|manager|responsabil|cineva real|operatori|agentul|omul',
    anyone:
      'cineva|suport|suportul|echipa|echipa voastră|suport tehnic|asistență|specialist|tehnician|dumneavoastră|voi|expert',
    after:
      '[de la|din] [suport|echipă|echipa|serviciul clienți|asistență|firmă|relații clienți|echipa voastră]|direct|acum|imediat|aici|personal|urgent|real|reală|adevărat|adevărată|uman|[și|] nu [|cu] un [robot|bot|chatbot]|în loc de [un|] [robot|bot]|care [să mă ajute|mă poate ajuta]|disponibil|despre asta',
    about: 'despre|pentru că|deoarece|referitor la|legat de|în legătură cu',
  },
  hu: {
    want: '[szeretnék|szeretném|akarok|kérek|kérném|kívánok|lehetne|lehet|szabad|tudok|tudnék|beszélhetnék|inkább|kellene] [|egy|most|inkább|kérem|itt]|[tudna|tudnál|tudná|tudnátok|tudnának] [|nekem|kérem]|lehetséges',
    how: 'hogyan [tudok|lehet|tudnék|érhetek el]|hogy tudok|hol tudok',
    speak:
      '[beszélni|beszélgetni|beszélhetek|beszélhetnék|chatelni|csetelni|konzultálni|beszélnék|beszéljek|kapcsolatba lépni|egyeztetni|írni|szót váltani]|[kapcsolja|kapcsolj|kapcsoljon|kapcsoljanak|kapcsoljatok|kapcsolni|átkapcsolni|irányítson|irányíts|kössön össze|köss össze] [|át]|össze',
    get: '[kérek|szeretnék|akarok|kell|adjon|adj|adjanak|hívjon|hívj|küldjön|küldj|kérnék|kérem|van|van ott|van itt|szükségem van|hívják]|[|kérek|szeretnék] kérni',
    a: 'egy|a|az|igazi|valódi|élő|hús vér|valamelyik|valamilyen|másik|önök|emberi|rendes|önök egyik',
    alone:
      'munkatárs|ember|ügyintéző|[igazi|valódi|élő] [ember|személy]|operátor|[|igazi|valódi|élő] embert|munkatársat|ügyintézőt|operátort|élő személy|ügyfélszolgálatos|személy|kolléga|ügynök',
    person:
      'emberrel|munkatárssal|ügyintézővel|operátorral|személlyel|kollégával|ügyfélszolgálatossal|ügyfélszolgálattal|ügyfélszolgálathoz|emberhez|munkatárshoz|ügyintézőhöz|operátorhoz|képviselővel|alkalmazottal|vezetővel|kollégát|személyt|emberekkel|ügynökkel|tanácsadóval|képviselőt|kollégához',
    anyone:
      'valakivel|valakihez|valakit|támogatással|csapattal|szakemberrel|szakértővel|technikussal|önökkel|veletek',
    after:
      '[az|a] [ügyfélszolgálatról|csapatból|csapattól|támogatástól|ügyfélszolgálatból|cégtől]|most|azonnal|közvetlenül|itt|személyesen|sürgősen|nem [egy|] [bottal|robottal|géppel]|és nem [egy|] [bottal|robottal|géppel]|[bot|robot] helyett|aki segít|aki tud segíteni|erről',
    about: 'mert|mivel|ezzel kapcsolatban|kapcsolatban|ügyében',
  },
  tr: {
    want: '[istiyorum|isterim|istiyoruz|istemekteyim|rica ediyorum|mümkün mü|mümkün müdür|mümkünse|lazım|gerek|gerekiyor|lütfen|hemen|artık|ben|biz|beni|bana|acilen]|[misiniz|mısınız|misin|mısın|miyim|mıyım|miyiz|mi|mı]',
    how: 'nasıl|nereden',
    speak:
      '[konuşmak|görüşmek|konuşabilir|görüşebilir|sohbet etmek|yazışmak|konuşabilir miyim|görüşebilir miyim|konuşayım|konuşmam|görüşmem|iletişim kurmak|konuşmayı|görüşmeyi|irtibata geçmek|temas kurmak|aktar|aktarın|aktarır|aktarabilir|bağla|bağlayın|bağlar|bağlayabilir|bağlanmak|bağlanabilir|bağlan|yönlendirin|yönlendir|yönlendirir|yönlendirebilir|aktarılmak|bağlanmam|aktarır mısınız|bağlar mısınız|ulaşmak|ulaşabilir|konuşsam|görüşebilirmiyim|konuşabilirmiyim]',
    get: '[istiyorum|isterim|lazım|var mı|yok mu|çağır|çağırın|çağırır|verin|ver|verir|lütfen istiyorum|talep ediyorum|gerekli|ihtiyacım var|rica ediyorum|gelsin|istiyoruz|bulun]|iletişime geçmek|iletişime geçebilir',
    a: 'bir|gerçek|canlı|yetkili|herhangi bir|sizin|başka bir|insan|bir tane|müşteri|ekibinizden|ekipten|destekten|sizden',
    alone:
      'temsilci|insan|müşteri temsilcisi|gerçek [insan|kişi|biri]|canlı [destek|temsilci]|yetkili|yetkili kişi|operatör|müşteri hizmetleri|kişi|canlı insan|gerçek temsilci|temsilciye bağlan|gerçek bir [insan|kişi]|destek temsilcisi|asistan insan',
    person:
      '[insanla|insan ile|temsilciyle|temsilci ile|müşteri temsilcisiyle|müşteri temsilcisi ile|kişiyle|kişi ile|yetkiliyle|yetkili ile|operatörle|operatör ile|müşteri hizmetleriyle|müşteri hizmetleri ile|çalışanla|çalışan ile|görevliyle|görevli ile|danışmanla|danışman ile|gerçek biriyle|insana|temsilciye|müşteri temsilcisine|müşteri hizmetlerine|kişiye|yetkiliye|operatöre|görevliye|görevli|çalışan|insanlarla|canlı desteğe|yöneticiyle|insanı|temsilcisi|temsilciyi|arkadaşınızla|arkadaşınız|destek temsilcisine|destek temsilcisiyle|destek temsilcisi ile|canlı destekle]',
    anyone:
      '[biriyle|birisiyle|biri ile|birisi ile|birine|birisine|destekle|destek ile|destek ekibiyle|destek ekibi ile|ekiple|ekibinizle|uzmanla|teknisyenle|sizinle|desteğe|destek ekibine|birileriyle|biri|birisi]',
    after:
      'şimdi|hemen|burada|doğrudan|direkt|acil|acilen|lütfen|bot değil|robot değil|robotla değil|botla değil|[bot|robot] yerine|bana yardım edebilecek|yardımcı olabilecek|bu konuda',
    about: 'çünkü|konusunda|hakkında',
  },
  vi: {
    want: '[tôi|mình|em|anh|chị|cho tôi|cho mình|cho em|tớ|bạn] [|có thể|muốn|cần|xin|được|chỉ muốn|có thể được|thực sự muốn|vui lòng] [|được|cho tôi|cho]|[có thể|muốn|cần|xin|vui lòng|làm ơn|xin vui lòng|hãy] [|cho tôi|cho mình|cho em]|có thể',
    how: 'làm [sao|thế nào] để [|tôi|có thể|tôi có thể]|[làm|] cách nào để',
    speak:
      '[nói chuyện|trò chuyện|chat|nói|gặp|trao đổi|liên hệ|kết nối|liên lạc|tư vấn trực tiếp|chuyển máy|chuyển|nói chuyện trực tiếp|chuyển tôi|kết nối tôi|nối máy|gặp trực tiếp|chuyển cho tôi|gặp mặt|chuyển sang] [|với|đến|cho|tới|trực tiếp với|qua]',
    get: '[tôi|mình|em|] [cần|muốn|muốn gặp|cần gặp|xin gặp|xin] [|có]|[cho|gọi|tìm] [|tôi|mình|em] [|gặp]|có|gặp|ở đây có|cho gặp',
    a: 'một|người|thật|với một|với|một người|của bạn|bên bạn|khác|bạn|anh|chị|vị|bộ phận',
    alone:
      'nhân viên|người thật|người|nhân viên tư vấn|tư vấn viên|nhân viên hỗ trợ|tổng đài viên|con người|nhân viên chăm sóc khách hàng|người hỗ trợ|nhân viên thật|gặp nhân viên|người tư vấn|cskh',
    person:
      'đại diện|điện thoại viên|đồng nghiệp|chăm sóc khách hàng|quản lý|người đại diện|chuyên viên|admin|người phụ trách|người có thẩm quyền|bộ phận chăm sóc khách hàng',
    anyone:
      'ai đó|ai|bộ phận hỗ trợ|đội hỗ trợ|đội ngũ hỗ trợ|kỹ thuật viên|chuyên gia|hỗ trợ|hỗ trợ viên|bên kỹ thuật',
    after:
      'được không|được ko|không|nhé|ạ|với|đi|ngay|bây giờ|trực tiếp|ngay bây giờ|ở đây|thật|được chứ|liền|thay vì [bot|robot]|[|chứ] không phải [bot|robot|máy]|gấp|giúp tôi|hỗ trợ tôi|có thể giúp tôi|bên bạn|của bạn|của công ty|nha|đi ạ|hỗ trợ',
    about: 'về|vì|liên quan đến|bởi vì',
  },
  id: {
    want: '[bisakah|bisa|bolehkah|boleh|dapatkah|apakah] [saya|aku|kami|kamu|anda|tolong|] [|bisa]|[saya|aku|kami] [mau|ingin|perlu|butuh|bisa|harus|lebih suka|pengen|minta] [|untuk]|[tolong|mohon|silakan] [|bantu] [|saya]|izinkan saya|ingin|mau|minta|apakah mungkin',
    how: 'bagaimana [|cara|caranya] [|saya] [|bisa]|gimana cara',
    speak:
      '[bicara|berbicara|ngobrol|chat|ngomong|berkomunikasi|mengobrol|komunikasi|terhubung|dihubungkan|disambungkan|berbicara langsung|bicara langsung|chatting|tersambung] [|dengan|sama|ke]|[hubungkan|sambungkan|alihkan|transfer|oper|teruskan] [|saya|aku] [|dengan|ke|pada|kepada]',
    get: '[saya|aku|kami|] [mau|ingin|perlu|butuh|minta|memerlukan|membutuhkan]|[panggilkan|panggil|carikan|kasih|beri saya|berikan saya|panggilkan saya]|[ada|apakah ada|adakah]',
    a: 'seorang|dengan|orang|sungguhan|asli|langsung|salah satu|dari|nyata|dengan seorang|yang|pihak',
    alone:
      'petugas|orang|manusia|agen|[orang|manusia] [asli|sungguhan|nyata|beneran]|agen manusia|cs manusia|operator|customer service|cs|staf|admin|agen langsung|petugas layanan pelanggan|perwakilan|admin manusia',
    person:
      'karyawan|pegawai|rekan|kolega|layanan pelanggan|manajer|atasan|penanggung jawab|staf dukungan|teman kerja|anggota tim|agen layanan pelanggan|konsultan|pihak manusia',
    anyone:
      'seseorang|tim|tim kalian|tim anda|tim support|tim dukungan|dukungan|teknisi|ahli|siapa saja|support',
    after:
      '[dari|di] [tim|tim anda|dukungan|layanan pelanggan|perusahaan|tim support]|sekarang|langsung|segera|di sini|saja|dong|ya|aja|asli|sungguhan|nyata|bukan [bot|robot|mesin|chatbot]|daripada [bot|robot]|yang bisa [membantu|bantu] [|saya]|tersedia|tentang ini',
    about: 'tentang|karena|mengenai|soal|terkait|perihal',
  },
  ca: {
    want: '[puc|podria|podem|es pot|vull|voldria|m agradaria|necessito|prefereixo|preferiria|desitjo|em pots|em podeu|em podríeu|em pot|pots|podeu|pot] [|si us plau|ara]|[deixa|deixeu] m|és possible|seria possible',
    how: 'com [puc|podria|faig per|es pot]|on puc',
    speak:
      '[parlar|xatejar|conversar|comunicar me|xerrar|parlar directament] [|amb|a]|[passa m|passeu me|posa m|poseu me|connecta m|connecteu me|transfereix me|transferiu me|passar|passar me|posar] [|en contacte] [|amb|a]',
    get: '[vull|voldria|necessito|prefereixo|demano|exigeixo] [|tenir]|[dona m|doneu me|passa m|passeu me|truca a|truqueu a|crida]|hi ha|teniu|[contactar|posar me en contacte] [|amb]',
    a: 'un|una|el|la|l|algun|alguna|amb|real|veritable|altre|altra|amb un|amb una|de debò|a un|a una|vostre|de carn i ossos',
    alone:
      'persona|humà|humana|ésser humà|agent|persona real|agent humà|operador|operadora|assessor|persona de veritat|persona de debò|representant|persona humana|assistent humà',
    person:
      'persones|empleat|treballador|company|companya|col·lega|algú real|algú de veritat|algú humà|responsable|supervisor|atenció al client|servei al client|membre de l equip|gestor|encarregat',
    anyone: 'algú|suport|equip|l equip|el vostre equip|suport tècnic|tècnic|expert|especialista|vosaltres',
    after:
      '[de|del|d] [|l|el vostre|la vostra] [equip|suport|empresa|atenció al client]|directament|ara|ara mateix|aquí|en persona|de veritat|de debò|real|humà|humana|urgentment|[i|] no [|amb] [un|una] [bot|robot|màquina]|en lloc d un [bot|robot]|que em pugui ajudar|que m ajudi|disponible|sobre això',
    about: 'sobre|perquè|pel que fa a|respecte a|quant a',
  },
  hr: {
    want: '[mogu li|mogu|mogao bih|mogla bih|možemo li|može li se|je li moguće|da li mogu|moze li] [|ja|molim]|[želim|htio bih|htjela bih|trebam|hoću|volio bih|voljela bih|moram|hteo bih|htela bih|radije bih|zelim|hocu] [|da|li|samo|sada]|[možete li|možeš li|biste li|mozete li] [|me|mi]|pusti me|pustite me|da',
    how: 'kako [mogu|da|se mogu]|gdje mogu',
    speak:
      '[razgovarati|pričati|popričati|govoriti|razgovaram|pričam|popričam|čavrljati|chatati|dopisivati se|komunicirati|porazgovarati|se povezati|povezati se|razgovor|kontakt] [|s|sa]|[spojite|spoji|spojiti|prebacite|prebaci|prebaciti|povežite|poveži|povezati|preusmjerite|preusmjeri] [|me] [|s|sa|na]',
    get: '[želim|trebam|hoću|htio bih|htjela bih|tražim|zahtijevam|treba mi|dajte mi|daj mi|pozovite|pozovi|zovite|zovi|ima li|imate li|pošaljite|molim] [|ovdje|tu]|[kontaktirati|stupiti u kontakt] [|s|sa]',
    a: 's|sa|na|stvarnom|stvarnim|stvarnu|stvarnog|pravom|pravim|pravu|pravog|pravi|živom|živim|živu|živog|živi|nekim|nekom|nekog|neku|vašim|drugim|ljudskim|nekoga od vaših|jednim od vaših|ljudskom',
    alone:
      'osoba|čovjek|čovjeka|operater|operatera|agent|agenta|[prava|stvarna|živa] osoba|[pravi|živi|stvarni] čovjek|[pravog|živog] čovjeka|osobu|djelatnik|djelatnika|zaposlenik|čovek|čoveka|ljudski agent|korisnička podrška uživo|ljudsko biće',
    person:
      'osobom|čovjekom|čovekom|operaterom|agentom|djelatnikom|zaposlenikom|ljudima|kolegom|kolegu|predstavnikom|predstavnika|službenikom|savjetnikom|voditeljem|nadređenim|korisničkom podrškom|korisničkom službom|suradnikom|zaposlenika|kolegicom|ljudskim bićem|predstavnik',
    anyone: 'nekim|nekoga|nekom|podrškom|tehničkom podrškom|timom|vašim timom|vama|stručnjakom|tehničarom',
    after:
      '[iz|od] [|vašeg|vaše] [tima|podrške|korisničke podrške|tvrtke]|odmah|sada|sad|direktno|izravno|ovdje|tu|osobno|hitno|[a|i] ne s [botom|robotom|strojem]|ne s [botom|robotom|strojem]|umjesto [bota|robota|s botom]|tko mi može pomoći|koji mi može pomoći|dostupan|o tome|uživo',
    about: 'o|u vezi|jer|zbog|vezano za|zato što',
  },
  ru: {
    want: '[могу ли я|можно|могу|можно мне|могу я|нельзя ли|а можно|можно ли] [|пожалуйста|ли|мне|просто]|[|я] [хочу|хотел бы|хотела бы|хочется|нужно|надо|желаю|должен|требую|прошу|хотелось бы|предпочитаю|предпочел бы] [|просто|чтобы|бы|сейчас|срочно|лучше]|мне [нужно|надо|необходимо|бы|хотелось бы|нужен|нужна] [|срочно]|[можете|могли бы|можешь|мог бы] [|вы|ты] [|меня|мне]|дайте|дай|дайте мне|позвольте|давайте|разрешите',
    how: 'как [|мне|я могу|можно|я]|где [можно|я могу]',
    speak:
      '[поговорить|говорить|общаться|пообщаться|побеседовать|связаться|разговаривать|переговорить|чат|разговор|переписываться|связь|проконсультироваться] [|с|со|напрямую с]|[соедините|соедини|переключите|переключи|переведите|переведи|свяжите|свяжи|соединить|переключить|перевести|связать|позовите|перенаправьте|подключите|подключи|передайте] [|меня|пожалуйста|меня пожалуйста] [|с|со|на|к]|[чтобы|] [мне|] ответил|перевод на',
    get: '[|я] [хочу|требую|прошу|жду]|[|мне] [нужен|нужна|нужны|нужно|надо]|[позовите|позови|дайте|дай|вызовите|вызови|пригласите|подключите|позвать|пригласить|позвоните|найдите|можно] [|мне|сюда]|[есть|а есть|есть ли|тут есть|здесь есть] [|тут|здесь|у вас|там]',
    a: 'с|со|на|к|живым|живого|живому|живой|живая|живую|реальным|реального|реальный|реальной|настоящим|настоящего|настоящий|каким нибудь|какого нибудь|вашим|вашего|другим|кем нибудь из|человеческим|любым|одним из ваших|нормальным|нормального|человека',
    alone:
      'оператор|человек|оператора|человека|[живой|реальный|настоящий] [человек|оператор]|[живого|реального|настоящего] [человека|оператора]|специалист|менеджер|консультант|сотрудник|сотрудника|агент|менеджера|консультанта|специалиста|живая поддержка|позовите человека|живое общение|оператор живой',
    person:
      'человеком|оператором|специалистом|менеджером|консультантом|сотрудником|агентом|людьми|коллегой|коллегу|представителем|представителя|человеку|оператору|специалисту|менеджеру|консультанту|сотруднику|руководителем|начальником|службой поддержки|операторам|руководителя|живым|коллега|человеком из поддержки|агента|сотрудниками|люди',
    anyone:
      'кем нибудь|кем то|кого нибудь|поддержкой|поддержку|техподдержкой|технической поддержкой|командой|вашей командой|вами|экспертом|техником|техподдержку|кто нибудь',
    after:
      '[из|от|с] [|вашей|вашего] [поддержки|команды|службы поддержки|компании|техподдержки|отдела продаж]|сейчас|срочно|немедленно|напрямую|здесь|тут|лично|живым|живой|живого|[а|и] не [|с] [ботом|роботом|машиной|бот|робот|бота|робота]|не [|с] [ботом|роботом|машиной|бот|робот|бота|робота]|вместо [бота|робота]|который [может помочь|мне поможет|поможет]|пожалуйста|об этом|по этому вопросу|наконец|уже|в чат|в чате|мне',
    about: 'о|об|по поводу|потому что|насчет|насчёт|по вопросу|так как|из за',
  },
  uk: {
    want: '[чи можу я|можна|можу|можу я|чи можна|чи можу|а можна] [|будь ласка|мені|просто]|[|я] [хочу|хотів би|хотіла б|бажаю|потрібно|треба|маю|вимагаю|прошу|хотілося б|волію] [|просто|щоб|зараз|би|б]|мені [потрібно|треба|необхідно|потрібен|потрібна|хотілося б]|[можете|могли б|можеш|чи можете] [|ви|ти] [|мене|мені]|дайте|дай|дозвольте',
    how: 'як [|мені|я можу|можна]|де [можна|я можу]',
    speak:
      '[поговорити|говорити|спілкуватися|поспілкуватися|зв язатися|розмовляти|порозмовляти|переговорити|звязатися|балакати|побалакати|зв язок] [|з|із|зі]|[з єднайте|зєднайте|переключіть|переключи|переведіть|з єднати|переключити|підключіть|підключи|перенаправте|зв яжіть|передайте] [|мене|будь ласка] [|з|із|на|до]',
    get: '[|я] [хочу|вимагаю|прошу]|[|мені] [потрібен|потрібна|потрібно|треба|потрібні]|[покличте|поклич|дайте|дай|викличте|запросіть|підключіть|покликати|подзвоніть|можна] [|мені|сюди]|[є|чи є|тут є] [|тут|у вас|там]',
    a: 'з|із|зі|на|до|живою|живого|живий|жива|живу|живим|реальною|реальним|реального|реальну|справжньою|справжнім|справжнього|справжню|якоюсь|якимось|вашим|іншим|людським|кимось із|будь яким',
    alone:
      'оператор|людина|людину|оператора|[жива|реальна|справжня] людина|[живу|реальну|справжню] людину|спеціаліст|менеджер|консультант|працівник|агент|менеджера|консультанта|живий оператор|фахівець|живого оператора',
    person:
      'людиною|оператором|спеціалістом|менеджером|консультантом|працівником|агентом|людьми|колегою|колегу|представником|представника|співробітником|співробітника|фахівцем|фахівця|спеціаліста|керівником|службою підтримки|оператору|людині|менеджеру',
    anyone:
      'кимось|кимсь|когось|підтримкою|техпідтримкою|технічною підтримкою|командою|вашою командою|вами|експертом|хтось',
    after:
      '[з|із|від] [|вашої|вашого] [підтримки|команди|служби підтримки|компанії]|зараз|негайно|терміново|напряму|безпосередньо|тут|особисто|[а|і] не [|з] [ботом|роботом|машиною|бот|робот|бота]|не [|з] [ботом|роботом|машиною|бот|робот|бота]|замість [бота|робота]|який [може допомогти|мені допоможе]|яка [може допомогти|мені допоможе]|будь ласка|про це|з цього питання',
    about: 'про|щодо|тому що|бо|стосовно|з приводу|через',
  },
  bg: {
    want: '[мога ли|може ли|може|мога|дали мога|възможно ли е] [|да|аз да|моля да]|[искам|бих искал|бих искала|желая|трябва|нуждая се|предпочитам|имам нужда|настоявам] [|да|моля да|сега да|просто да]|[можете ли|можеш ли|бихте ли] [|да] [|ме]|нека|оставете ме|да',
    how: 'как [мога|да|може] [|да]|къде мога [|да]',
    speak:
      '[говоря|поговоря|разговарям|си поговоря|чатя|общувам|се свържа|да говоря|да поговоря|пиша си|вляза в контакт|комуникирам] [|с|със]|[свържете|свържи|свържете ме|прехвърлете|прехвърли|прехвърлите|свържете|пренасочете] [|ме] [|с|със|към|на]',
    get: '[искам|трябва ми|нужен ми е|желая|имам нужда от|дайте ми|дай ми|повикайте|извикайте|повикай|извикай|има ли|има|обадете се на|потърсете]',
    a: 'с|със|към|на|истински|истинско|жив|живо|реален|реално|някой|някого от|ваш|вашия|друг|човешки|един|от вашите|някакъв',
    alone:
      'човек|оператор|служител|[истински|жив|реален] [човек|оператор]|агент|консултант|представител|сътрудник|човешко същество|човека|служителя',
    person:
      'хора|колега|колегата|служителка|член на екипа|мениджър|началник|отдел обслужване на клиенти|обслужване на клиенти|представител на отдел|оператора|агента|живо същество',
    anyone:
      'някого|някой|поддръжката|екипа|вашия екип|техническа поддръжка|вас|специалист|експерт|техник|отдел поддръжка',
    after:
      '[от|в] [|вашия|вашата] [екипа|екип|поддръжката|поддръжка|фирмата|компанията]|сега|веднага|директно|тук|лично|спешно|[а|и] не [|с] [бот|робот|машина]|не [|с] [бот|робот|машина]|вместо [|с] [бот|робот]|който [може да ми помогне|да ми помогне]|на разположение|моля|за това',
    about: 'за|относно|защото|понеже|във връзка с|тъй като|по повод',
  },
  sr: {
    want: '[могу ли|могу|могао бих|могла бих|можемо ли|да ли могу|је ли могуће|да ли је могуће|може ли] [|да|ја да|молим]|[желим|хтео бих|хтела бих|треба|треба ми|хоћу|волео бих|волела бих|морам|радије бих] [|да|само да|сада да]|[можете ли|можеш ли|да ли можете] [|да] [|ме|ми]|пусти ме|пустите ме|да',
    how: 'како [могу|да] [|да]|где могу',
    speak:
      '[разговарам|причам|попричам|говорим|разговарати|причати|четујем|комуницирам|се чујем|поразговарам] [|с|са]|[спојите|споји|пребаците|пребаци|повежите|повежи|преусмерите|спојите] [|ме] [|с|са|на]',
    get: '[желим|треба ми|хоћу|хтео бих|хтела бих|тражим|захтевам|дајте ми|дај ми|позовите|позови|зовите|има ли|имате ли|пошаљите|молим] [|овде|ту]|[ступим у контакт|контактирам] [|са]',
    a: 'с|са|на|стварном|стварним|стварну|правом|правим|праву|правог|прави|живом|живим|живу|живог|живи|неким|неком|неког|неку|вашим|другим|људским|неког од ваших',
    alone:
      'особа|човек|оператер|агент|човека|оператера|[права|стварна|жива] особа|[прави|живи|стварни] човек|особу|запослени|саветник|људско биће|агента',
    person:
      'особом|човеком|оператером|агентом|запосленим|људима|колегом|колегу|представником|представника|саветником|службеником|руководиоцем|корисничком подршком|корисничком службом|сарадником|представник',
    anyone: 'неким|некога|неком|подршком|техничком подршком|тимом|вашим тимом|вама|стручњаком|техничаром',
    after:
      '[из|од] [|вашег|ваше] [тима|подршке|корисничке подршке|фирме]|одмах|сада|сад|директно|овде|ту|лично|хитно|[а|и] не са [ботом|роботом|машином]|не са [ботом|роботом|машином]|уместо [бота|робота|са ботом]|ко може да ми помогне|који може да ми помогне|доступан|о томе|уживо|молим',
    about: 'о|у вези|јер|због|поводом|зато што',
  },
  el: {
    want: '[μπορώ|θα μπορούσα|μπορούμε|γίνεται|είναι δυνατόν|θα ήθελα|θέλω|χρειάζομαι|πρέπει|επιθυμώ|προτιμώ|ήθελα|θα προτιμούσα] [|να|παρακαλώ να]|[μπορείτε|μπορείς|θα μπορούσατε] [|να] [|με|μου]|[άσε|αφήστε] με να|να',
    how: 'πώς [μπορώ|θα μπορούσα] [|να]|πού μπορώ να',
    speak:
      '[μιλήσω|μιλάω|επικοινωνήσω|συνομιλήσω|συζητήσω|κάνω chat|έρθω σε επαφή|συνδεθώ|τα πω|μιλήσουμε] [|με|σε|απευθείας με]|[συνδέστε|σύνδεσέ|σύνδεσε|συνδέστε|μεταφέρετε|συνδέσετε|συνδέσεις|μεταφέρεις|βάλτε] [|με] [|με|σε]',
    get: '[θέλω|χρειάζομαι|θα ήθελα|επιθυμώ|ζητώ|απαιτώ|δώστε μου|δώσε μου|φωνάξτε|φώναξε|καλέστε|κάλεσε|υπάρχει|έχετε|προτιμώ|στείλτε]',
    a: 'έναν|ένα|μια|μία|ένας|τον|την|το|με|πραγματικό|πραγματικός|αληθινό|αληθινός|ζωντανό|ζωντανός|κάποιον|κάποιος|κάποια|δικό σας|άλλον|από τους|σας|φυσικό|πραγματική|κανονικό',
    alone:
      'άνθρωπος|άνθρωπο|εκπρόσωπος|εκπρόσωπο|[πραγματικός|αληθινός|ζωντανός] άνθρωπος|[πραγματικό|αληθινό|ζωντανό] άνθρωπο|υπάλληλος|υπάλληλο|φυσικό πρόσωπο|πρόσωπο|πράκτορας|σύμβουλος|άτομο|χειριστής|ανθρώπινο ον|εκπρόσωπο παρακαλώ',
    person:
      'συνάδελφο|συνάδελφος|σύμβουλο|χειριστή|ανθρώπους|εξυπηρέτηση πελατών|την εξυπηρέτηση πελατών|υπεύθυνο|προϊστάμενο|μέλος της ομάδας|τηλεφωνητή|πράκτορα|εργαζόμενο|εκπροσώπους',
    anyone:
      'κάποιον|κάποια|υποστήριξη|την υποστήριξη|ομάδα|την ομάδα|την ομάδα σας|τεχνική υποστήριξη|ειδικό|τεχνικό|εσάς',
    after:
      '[από|της] [|την|το|τη] [ομάδα|ομάδα σας|υποστήριξη|εξυπηρέτηση|εταιρεία|τμήμα]|τώρα|αμέσως|απευθείας|εδώ|προσωπικά|επειγόντως|[και|] όχι [|με] [|ένα] [ρομπότ|bot|μηχανή|μποτ]|αντί για [|ένα] [ρομπότ|bot|μποτ]|που [μπορεί να με βοηθήσει|να με βοηθήσει]|διαθέσιμος|παρακαλώ|γι αυτό|σχετικά με αυτό',
    about: 'για|σχετικά με|επειδή|γιατί|όσον αφορά',
  },
  he: {
    want: '[אפשר|אני יכול|אני יכולה|האם אפשר|האם אני יכול|האם אוכל|אוכל|ניתן|האם ניתן|אפשר בבקשה] [|בבקשה]|[|אני] [רוצה|צריך|צריכה|מעדיף|מעדיפה|מבקש|מבקשת|מעוניין|מעוניינת|חייב|חייבת|דורש] [|רק|פשוט]|הייתי רוצה|[תוכל|תוכלי|אתה יכול|את יכולה|תוכלו|אפשר] [|להעביר אותי|לחבר אותי]|תן לי|תני לי|תנו לי',
    how: 'איך [אפשר|אני יכול|אני יכולה|ניתן|אני]|איפה אפשר',
    speak:
      '[לדבר|לשוחח|להתכתב|לתקשר|לצ וטט|ליצור קשר|להתחבר|דיבור|שיחה|לדבר ישירות] [|עם|ל|אל]|[תעביר|תעבירי|העבר|תחבר|תחברי|חבר|להעביר|לחבר|תעבירו|תחברו|העבירו] [|אותי] [|ל|אל|עם]',
    get: '[|אני] [רוצה|צריך|צריכה|מבקש|מבקשת|מעדיף|מעדיפה|דורש|דורשת]|[תן|תני|תנו] לי|[תקרא|תקראי|קרא|קראו|תביא] [|ל]|[יש|האם יש] [|פה|כאן|שם|לכם]|אפשר|לקבל',
    a: 'אחד|אחר|אמיתי|אמיתית|חי|אנושי|אנושית|כלשהו|ה|שלכם|מהצוות|מטעמכם|איזה|בשר ודם',
    alone:
      'נציג|נציגה|בן אדם|אדם|אדם אמיתי|נציג אנושי|נציג שירות|[בן אדם|נציג] אמיתי|אנושי|מענה אנושי|נציג שירות לקוחות|לנציג|איש צוות|שירות אנושי|סוכן|נציגת שירות',
    person:
      'לנציג|לנציגה|לבן אדם|לאדם|אנשים|עובד|עובדת|עמית|קולגה|מנהל|אחראי|שירות לקוחות|שירות הלקוחות|לשירות לקוחות|לשירות הלקוחות|איש שירות|לנציג אנושי|לנציג שירות|יועץ|בנאדם|נציגים|מוקדן',
    anyone: 'מישהו|מישהי|למישהו|התמיכה|תמיכה|הצוות|צוות|תמיכה טכנית|לתמיכה|מומחה|טכנאי|איתכם|מישהו מהצוות',
    after:
      'מהצוות|מהתמיכה|מהחברה|משירות הלקוחות|עכשיו|מיד|ישירות|כאן|באופן אישי|דחוף|בדחיפות|[ולא|לא] [|עם] [בוט|רובוט|מכונה]|במקום [בוט|רובוט]|שיכול לעזור [|לי]|שיעזור לי|זמין|בבקשה|על זה|בנושא|פנוי',
    about: 'על|לגבי|בנוגע ל|כי|בגלל|בנושא|בקשר ל',
  },
  ar: {
    want: '[هل|] [يمكنني|يمكنني أن|بإمكاني|أستطيع|استطيع|ممكن|من الممكن|يمكن|بامكاني] [|أن|ان|من فضلك]|[أريد|اريد|أود|اود|أرغب|ارغب|أرغب في|أحتاج|احتاج|أحتاج إلى|أفضل|يجب|بدي|عايز|عاوز|ابغى|أبغى|ودي|حابب|محتاج] [|أن|ان|فقط]|[هل يمكنك|يمكنك|ممكن|هل تستطيع|رجاء|الرجاء|أرجو] [|أن|ان]|دعني|دعوني|اسمح لي',
    how: 'كيف [|يمكنني|أستطيع|استطيع|ممكن] [|أن]|أين يمكنني',
    speak:
      '[تحدث|تكلم|التحدث|التكلم|أتحدث|اتحدث|أتكلم|اتكلم|الحديث|التواصل|أتواصل|اتواصل|الدردشة|الكلام|احكي|أحكي|اكلم|أكلم|محادثة|التحدث مباشرة|التخاطب|نتحدث] [|مع|إلى|الى]|[حولني|حوّلني|وصلني|صلني|تحويلي|توصيلي|حولوني|أوصلني|وصلوني|تحويل|التحويل|حولني من فضلك|انقلني] [|إلى|الى|مع|ب|ل|على]',
    get: '[أريد|اريد|أحتاج|احتاج|أحتاج إلى|أود|أطلب|اطلب|عايز|عاوز|ابغى|أبغى|بدي|أعطني|اعطني|اعطوني|نادي|استدعي|استدع|اتصل ب|هل يوجد|هل هناك|يوجد|هل من|في|أفضل|محتاج]',
    a: 'ال|حقيقي|حقيقية|بشري|بشرية|أحد|احد|أي|اي|حي|من|مع|آخر|فعلي|واحد',
    alone:
      'موظف|إنسان|انسان|شخص حقيقي|موظف بشري|ممثل|ممثل خدمة العملاء|موظف خدمة العملاء|شخص|بشري|وكيل|إنسان حقيقي|انسان حقيقي|موظف حقيقي|مندوب|خدمة العملاء|وكيل بشري|بشر|موظفة|شخص بشري',
    person:
      'الموظف|زميل|زميلك|مدير|مسؤول|مشرف|مستشار|الموظفين|أحد الموظفين|احد الموظفين|لموظف|لشخص|بموظف|بشخص|بإنسان|لإنسان|لممثل|بممثل|بخدمة العملاء|لخدمة العملاء|ناس|أشخاص|مساعد بشري|عامل|الإنسان|بشخص حقيقي',
    anyone: 'شخص ما|أحد|احد|أحدهم|الدعم|الدعم الفني|الفريق|فريق الدعم|فريقكم|خبير|متخصص|فني|حد|بالدعم|للدعم',
    after:
      '[من|في] [الفريق|فريقكم|الدعم|خدمة العملاء|الشركة|فريق الدعم|الموظفين]|الآن|الان|فورا|فوراً|مباشرة|حالا|هنا|شخصيا|بسرعة|حقيقي|بشري|[وليس|ليس|لا] [|مع] [روبوت|بوت|آلة|الروبوت]|بدلا من [روبوت|الروبوت|بوت]|يمكنه مساعدتي|ليساعدني|لمساعدتي|متاح|لو سمحت|من فضلك|رجاء|بخصوص هذا|عن هذا',
    about: 'حول|بخصوص|بشأن|لأن|عن|بسبب|لان',
  },
  fa: {
    want: '[می‌توانم|میتونم|می‌تونم|می‌شود|میشه|می‌شه|آیا می‌توانم|آیا می‌شود|امکان دارد|ممکنه|ممکن است|آیا امکان دارد|می‌خواهم|می‌خوام|میخوام|میخواهم|باید|لازم دارم|ترجیح می‌دهم|دوست دارم|نیاز دارم|من|لطفا|لطفاً|فقط|مایلم|مستقیم|من می‌خواهم|من می‌خوام]|[می‌توانید|میتونید|می‌شود|میشه] [|مرا|منو|من رو|من را]|[|اجازه] [بدید|بدهید]',
    how: '[چگونه|چطور|چطوری] [|می‌توانم|میتونم|می‌شود|میشه]|از کجا',
    speak:
      '[صحبت کنم|حرف بزنم|گفتگو کنم|چت کنم|صحبت|حرف|صحبت کردن|ارتباط برقرار کنم|تماس بگیرم|مکالمه کنم|وصل شوم|وصل شم|صحبت می‌کنم|مشورت کنم|گفت و گو کنم]|[وصل|منتقل|متصل] [|کن|کنید|کنین|کنند|می‌کنید]|وصلم [کن|کنید|کنین]|[مرا|منو|من را|من رو] [|وصل کنید|وصل کن]',
    get: '[می‌خواهم|می‌خوام|میخوام|میخواهم|لازم دارم|نیاز دارم|صدا کن|صدا کنید|بیاورید|هست|وجود دارد|دارید|بفرستید|بدید|بدهید|خبر کنید|می‌خواهم باشد]|[آیا|] [آنجا|اینجا|اونجا]',
    a: 'یک|با|به|با یک|به یک|یه|با یه|به یه|واقعی|زنده|از|یکی از|انسان|شما|دیگر|انسانی',
    alone:
      'اپراتور|پشتیبان|انسان|آدم|آدم واقعی|انسان واقعی|شخص واقعی|کارشناس|اپراتور انسانی|فرد|شخص|نماینده|کارمند|فرد واقعی|اپراتور واقعی|پشتیبان انسانی|پشتیبانی انسانی|مامور',
    person:
      'همکار|همکارتان|همکارانتان|همکاران|مسئول|مدیر|کارشناس پشتیبانی|خدمات مشتریان|نماینده پشتیبانی|پشتیبان واقعی|آدما|انسان‌ها|اپراتورها|کارمندان|مشاور|نفر|آدم‌ها',
    anyone: 'کسی|یکی|پشتیبانی|تیم|تیم شما|تیم پشتیبانی|پشتیبانی فنی|متخصص|تکنسین|شما',
    after:
      '[از|در] [تیم|تیم شما|پشتیبانی|شرکت|همکاران]|الان|همین الان|حالا|فورا|فوراً|مستقیم|مستقیما|اینجا|شخصا|فوری|را|رو|واقعی|[نه|و نه] [|با] [|یک] [ربات|بات|ماشین]|به جای [ربات|بات]|که [بتواند کمکم کند|کمکم کند]|لطفا|لطفاً|در این مورد|کنم|کنید|کن',
    about: 'درباره|درباره‌ی|در مورد|راجع به|چون|به خاطر|زیرا',
  },
  ur: {
    want: '[کیا میں|میں|کیا|مجھے|مجھ کو|ہم|مہربانی کر کے|براہ کرم|پلیز] [|براہ کرم]|[چاہتا ہوں|چاہتی ہوں|چاہیے|چاہئے|چاہتے ہیں|سکتا ہوں|سکتی ہوں|سکتے ہیں|ہے|ہوں|دیں|دیجیے|ممکن ہے]|آپ|میری',
    how: 'کیسے|کہاں',
    speak:
      '[|سے] [بات|بات چیت|گفتگو|رابطہ|چیٹ|بات کرنا|بات کرنی|رابطہ کرنا|بات چیت کرنا|گفتگو کرنا] [|کرنا|کرنی|کر|کروائیں|کروا دیں|کرا دیں|کرائیں|کرائیے|کروا]|[سے|کو] [ملا|ملائیں|جوڑیں|جوڑ|کنیکٹ کریں|ملوائیں|منتقل کریں|ٹرانسفر کریں] [|دیں]',
    get: '[چاہیے|چاہئے|درکار ہے|کو بلائیں|بلائیں|کو بلا دیں|بلا دیں|ہے|موجود ہے|ہیں|کی ضرورت ہے|کو بلاؤ|ضرورت ہے]',
    a: 'ایک|کسی|اصلی|حقیقی|اصل|زندہ|انسانی|آپ کے|کوئی|دوسرے|ٹیم کے',
    alone:
      'نمائندہ|نمائندے|انسان|انسانی نمائندہ|اصلی انسان|ایجنٹ|آپریٹر|شخص|کسٹمر سروس نمائندہ|حقیقی انسان|انسانی ایجنٹ|بندہ|کسٹمر سروس|اصلی بندہ|آدمی',
    person:
      'ملازم|عملے|ساتھی|مینیجر|بندے|لوگوں|فرد|کسٹمر کیئر|انچارج|افسر|عملہ|انسانوں|اہلکار|ایجنٹ صاحب|حقیقی شخص',
    anyone: 'کسی|سپورٹ|ٹیم|سپورٹ ٹیم|ماہر|ٹیکنیشن|آپ لوگوں',
    after:
      'ابھی|فوراً|فورا|براہ راست|یہاں|ذاتی طور پر|جلدی|کرنا|کرنی|کرنے|دیں|[روبوٹ|بوٹ] [نہیں|سے نہیں|کے بجائے]|براہ کرم|پلیز|کو|سے|اس بارے میں',
    about: 'کے بارے میں|کیونکہ|بارے میں|کے متعلق',
  },
  hi: {
    want: '[क्या मैं|मैं|क्या|मुझे|मुझको|हम|कृपया|प्लीज|प्लीज़|मेरी|आप] [|कृपया]|[चाहता हूँ|चाहता हूं|चाहती हूँ|चाहती हूं|चाहिए|चाहते हैं|सकता हूँ|सकता हूं|सकती हूँ|सकती हूं|सकते हैं|है|हूँ|हूं|दीजिए|दो|दें|दीजिये]',
    how: 'कैसे|कहाँ|कहां',
    speak:
      '[|से] [बात|बातचीत|संपर्क|चैट|बात करना|बात करनी|बातचीत करना|संपर्क करना] [|करना|करनी|कर|कराइए|करवाइए|करवा|करा|करवाओ|कराओ|करवाएं|कराएं]|[से|को] [जोड़ें|जोड़ दें|जोड़िए|जोड़ो|मिलाइए|मिलाओ|कनेक्ट करें|कनेक्ट कर|मिलवाइए|ट्रांसफर करें|ट्रांसफर कर] [|दो|दें|दीजिए]',
    get: '[चाहिए|चाहिये|को बुलाइए|को बुलाओ|बुलाइए|बुलाओ|है|मौजूद है|हैं|की ज़रूरत है|की जरूरत है|को बुलाएं|बुलाएं|दीजिए|को बुला दीजिए]',
    a: 'एक|किसी|असली|वास्तविक|सच्चे|मानव|इंसानी|आपके|कोई|दूसरे|टीम के|लाइव|जीवित|रियल',
    alone:
      'प्रतिनिधि|इंसान|व्यक्ति|असली इंसान|असली व्यक्ति|एजेंट|ऑपरेटर|मानव प्रतिनिधि|मानव एजेंट|ग्राहक सेवा प्रतिनिधि|लाइव एजेंट|मानव|मनुष्य|कस्टमर केयर|इन्सान|आदमी|कस्टमर सर्विस',
    person:
      'कर्मचारी|सहकर्मी|सहयोगी|मैनेजर|अधिकारी|लोगों|ग्राहक सेवा|स्टाफ|बंदे|आदमियों|ग्राहक सहायता|इंसानों|रिप्रेजेंटेटिव|एक्जीक्यूटिव|कस्टमर केयर वाले',
    anyone: 'किसी|सपोर्ट|टीम|सपोर्ट टीम|विशेषज्ञ|टेक्नीशियन|आप लोगों|कोई',
    after:
      'अभी|तुरंत|सीधे|यहाँ|यहां|जल्दी|करना|करनी|करने|दीजिए|दो|दें|[रोबोट|बॉट] [नहीं|से नहीं|के बजाय]|कृपया|प्लीज|को|से|इस बारे में|इसके बारे में',
    about: 'के बारे में|क्योंकि|बारे में|के संबंध में',
  },
  ko: {
    want: '[좀|저|저는|제가|혹시|그냥|지금|빨리|직접|제발|바로|진짜로|이제]|[해|해서] [주세요|줘요|주실 수 있나요|주시겠어요|줄래요]|[수|] [있을까요|있나요|있어요]|싶어요|싶습니다|싶은데요|싶다|주세요|줘|주실래요',
    how: '어떻게',
    speak:
      '[이야기하고|얘기하고|대화하고|통화하고|말하고|상담하고|채팅하고|연결하고|연락하고|이야기를 나누고|대화를 나누고|얘기 하고|상담 받고|상담받고|문의하고] [싶어요|싶습니다|싶은데요|싶어|싶다|싶네요|싶은데]|[이야기할|얘기할|대화할|통화할|말할|상담할|채팅할|상담받을|연결할|연락할|이야기 할|얘기 할|대화 할] 수 [있나요|있을까요|있어요|있습니까|있는지요]|[연결해|연결|바꿔|전환해|넘겨|이어] [주세요|줘|주실 수 있나요|주시겠어요|줘요|부탁드립니다|부탁해요|주실래요|주십시오|바랍니다]|연결|상담 [원합니다|원해요|부탁드립니다|하고 싶어요|하고 싶습니다|하고 싶은데요|할 수 있나요|가능한가요|가능할까요|받고 싶어요]|[통화|대화|얘기|이야기] [원합니다|원해요|부탁드립니다|하고 싶어요|하고 싶습니다|하고 싶은데요|할 수 있나요|가능한가요|가능할까요]',
    get: '[불러|찾아|보내] [주세요|줘|주실 수 있나요|주시겠어요|줘요]|[필요해요|필요합니다|필요해|원해요|원합니다|있나요|있어요|없나요|없어요|계신가요|계세요|부탁해요|부탁드립니다|부탁드려요|나와|나오세요|계시나요]',
    a: '진짜|실제|살아있는|다른|담당|고객센터|고객|사람|상담|회사|팀|지원팀|아무',
    alone:
      '상담원|사람|상담사|담당자|직원|진짜 사람|실제 사람|상담원 연결|사람 상담원|실제 상담원|휴먼|고객센터 상담원|상담원이요|인간|상담직원|상담 직원|에이전트',
    person:
      '[상담원|사람|상담사|담당자|직원|인간|동료|매니저|관리자|책임자|대표|고객센터|고객 서비스|고객지원팀|상담 직원|상담직원|진짜 사람|실제 사람|분] [과|이랑|하고|한테|에게|으로|로|와|랑|을|를|이|가|은|는|님|님과|님이랑|께|님을]',
    anyone:
      '[누군가|누구|지원팀|팀|전문가|기술지원팀|서비스팀] [와|랑|하고|한테|에게|과|이랑|로|으로]|누구든|아무나',
    after:
      '요|지금|바로|빨리|직접|여기서|당장|급해요|[봇|로봇|기계] 말고|[봇|로봇|기계] 대신|부탁드립니다|부탁해요|주세요|이요|해주세요',
    about: '에 대해|때문에|관련해서|관련하여|왜냐하면',
  },
}
