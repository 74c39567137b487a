import type { Texts } from './texts.ts'

export const french: Texts = {
  language: 'fr',
  share: 12,
  hoursAhead: 1,
  colleague: 'Camille',
  account: 'camille',
  customers: [
    'Claire Dubois',
    'Mathieu Lefèvre',
    'Inès Benali',
    'Julien Moreau',
    'Sophie Garnier',
    'Antoine Roussel',
    'Amélie Faure',
    'Karim Haddad',
    'Élodie Marchand',
    'Nicolas Perrin',
  ],
  documents: [
    {
      key: 'livraison',
      title: 'Livraison',
      content: `# Livraison

Les accessoires partent sous un jour ouvré et arrivent en deux à quatre jours. Les vélos sont montés et testés avant
l'envoi : ils arrivent en cinq à huit jours ouvrés. La livraison des accessoires coûte 4,90 € et elle est gratuite à
partir de 60 €. Celle d'un vélo coûte 29 €.`,
      questions: ['Où est ma commande ?', 'Combien coûte la livraison ?'],
    },
    {
      key: 'retours',
      title: 'Retours et remboursements',
      content: `# Retours et remboursements

Vous pouvez tout retourner sous 30 jours. Ouvrez votre commande, choisissez « Retourner » et imprimez l'étiquette. Nous
remboursons sous cinq jours ouvrés après l'arrivée du colis.`,
      questions: ['Comment retourner un article ?', 'Quand serai-je remboursé ?'],
    },
    {
      key: 'atelier',
      title: 'Atelier et révision',
      content: `# Atelier et révision

Une petite révision coûte 49 € et dure une heure, une grande coûte 119 € et dure une journée. Réservez au moins deux
jours à l'avance. La première révision est gratuite dans les trois mois après l'achat.`,
      questions: ['Combien coûte une révision ?'],
    },
  ],
  stories: [
    {
      topic: 'delivery',
      weight: 3,
      lines: [
        {
          ask: [
            'Où est ma commande {order} ?',
            'Bonjour, quand arrive mon {bike} ? Commande {order}',
            'Combien de temps prend la livraison ?',
          ],
          reply:
            'Les vélos sont montés et testés avant l’envoi et arrivent en cinq à huit jours ouvrés. Vous recevrez un lien de suivi par e-mail dès le départ du colis.',
          from: 'livraison',
        },
        {
          ask: ['Merci beaucoup !', 'Parfait, merci'],
          reply: 'Avec plaisir. Bonne route !',
          isSmallTalk: true,
        },
      ],
    },
    {
      topic: 'returns',
      weight: 2,
      lines: [
        {
          ask: ['Comment retourner un casque ?', 'Je voudrais renvoyer les gants de la commande {order}'],
          reply:
            'Vous avez 30 jours : ouvrez votre commande, choisissez « Retourner » et imprimez l’étiquette.',
          from: 'retours',
        },
        {
          ask: ['Et le remboursement ?', 'Quand serai-je remboursé ?'],
          reply: 'Sous cinq jours ouvrés après l’arrivée du colis.',
          from: 'retours',
          mood: 'good',
        },
      ],
    },
    {
      topic: 'workshop',
      lines: [
        {
          ask: ['Combien coûte une révision ?', 'Il me faut une révision pour mon {bike}'],
          reply:
            'Une petite révision coûte 49 € et dure une heure, une grande coûte 119 € et dure une journée. Réservez au moins deux jours à l’avance.',
          from: 'atelier',
        },
      ],
    },
    {
      topic: 'other',
      lines: [
        {
          ask: ['Gravez-vous un numéro sur le cadre ?', 'Faites-vous le marquage antivol du vélo ?'],
          reply:
            'Je ne trouve rien à ce sujet dans ce que je sais du magasin. Une personne de l’équipe va regarder.',
        },
        { person: 'Bonjour {first}, c’est Camille. Oui, le marquage coûte 10 € et se fait en dix minutes.' },
        { ask: ['Très bien, je passerai samedi', 'Merci Camille'] },
      ],
    },
    {
      topic: 'warranty',
      lines: [
        {
          ask: ['Les freins de mon {bike} grincent depuis la livraison'],
          reply: 'Réservez une place à l’atelier, la première révision est gratuite.',
          from: 'atelier',
          mood: 'bad',
        },
        {
          ask: ['Je veux parler à un conseiller', 'Est-ce que je peux parler à un conseiller ?'],
          reply: 'Bien sûr. Une personne de l’équipe vous répond ici.',
          isSmallTalk: true,
        },
        { note: 'Plaquettes à changer, série connue.' },
        {
          person:
            'Bonjour {first}, c’est Camille. Nous vous envoyons des plaquettes neuves, ou nous les montons gratuitement. Que préférez-vous ?',
        },
        { ask: ['Je passe à l’atelier, merci !', 'Envoyez-les, je les monte moi-même'] },
      ],
    },
  ],
  waiting: [
    {
      topic: 'other',
      lines: [
        {
          ask: ['Livrez-vous en Guadeloupe ?'],
          reply:
            'Je ne trouve rien à ce sujet dans ce que je sais du magasin. Une personne de l’équipe va regarder.',
        },
      ],
    },
  ],
  feedback: { good: ['Clair et rapide', 'Merci, c’est ce que je cherchais'], bad: ['Trop vague'] },
  comments: { good: ['Réponse immédiate', 'Très aimable'], bad: ['J’ai dû répéter ma question'] },
}
