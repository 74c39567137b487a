import type { Texts } from './texts.ts'

export const german: Texts = {
  language: 'de',
  share: 24,
  hoursAhead: 1,
  colleague: 'Jonas',
  account: 'jonas',
  customers: [
    'Anna Schneider',
    'Lukas Weber',
    'Ayşe Yılmaz',
    'Felix Hoffmann',
    'Greta Lindner',
    'Paul Krüger',
    'Sabine Vogt',
    'Mehmet Kaya',
    'Johanna Böhm',
    'Tobias Richter',
    'Leonie Maurer',
    'Karl-Heinz Brandt',
    'Svenja Petersen',
    'Niklas Huber',
    'Elif Demir',
    'Martin Gruber',
    'Katharina Seidel',
    'Jan Wójcik',
  ],
  documents: [
    {
      key: 'lieferung',
      title: 'Lieferung',
      content: `# Lieferung

## Wie lange dauert die Lieferung?

Zubehör verlässt unser Lager innerhalb eines Werktags und ist nach zwei bis vier Werktagen bei Ihnen. Fahrräder bauen
wir vorher auf und prüfen sie: Sie kommen nach fünf bis acht Werktagen. Sobald Ihre Bestellung unterwegs ist, bekommen
Sie eine E-Mail mit einem Link zur Sendungsverfolgung.

## Was kostet die Lieferung?

Zubehör kostet 4,90 €, ab 60 € liefern wir kostenlos. Ein Fahrrad kostet 29 € und kommt fahrbereit.`,
      questions: ['Wo ist meine Bestellung?', 'Wie hoch sind die Versandkosten?'],
    },
    {
      key: 'ruecksendung',
      title: 'Rücksendung und Erstattung',
      content: `# Rücksendung und Erstattung

Sie können alles innerhalb von 30 Tagen zurückgeben. Öffnen Sie Ihre Bestellung, wählen Sie „Zurücksenden“ und drucken
Sie das Etikett aus. Fahrräder holen wir bei Ihnen ab. Das Geld ist spätestens fünf Werktage nach Eingang der
Rücksendung auf der Karte oder dem Konto, womit Sie bezahlt haben.`,
      questions: ['Wie schicke ich etwas zurück?', 'Wann bekomme ich mein Geld zurück?'],
    },
    {
      key: 'garantie',
      title: 'Garantie',
      content: `# Garantie

Auf Rahmen geben wir zehn Jahre Garantie, auf alles andere zwei Jahre. Verschleiß, etwa an Kette, Bremsbelägen und
Reifen, ist nicht abgedeckt. Akkus behalten zwei Jahre oder 500 Ladungen lang mindestens 70 % ihrer Kapazität.`,
      questions: ['Ist der Akku von der Garantie abgedeckt?'],
    },
    {
      key: 'werkstatt',
      title: 'Werkstatt und Inspektion',
      content: `# Werkstatt und Inspektion

Eine kleine Inspektion kostet 49 € und dauert eine Stunde, eine große kostet 119 € und dauert einen Tag. Buchen Sie den
Termin mindestens zwei Tage vorher. Die erste Inspektion innerhalb von drei Monaten ist kostenlos. Einen Platten flicken
wir für 15 €, darauf können Sie warten.`,
      questions: ['Was kostet eine Inspektion?', 'Repariert ihr auch fremde Räder?'],
    },
  ],
  stories: [
    {
      topic: 'delivery',
      weight: 3,
      lines: [
        {
          ask: [
            'Wo bleibt meine Bestellung {order}?',
            'Hallo, wann kommt mein {bike}? Bestellnummer {order}',
            'wann wird {order} geliefert',
          ],
          reply:
            'Fahrräder bauen wir vorher auf und prüfen sie, sie kommen nach fünf bis acht Werktagen. Sobald die Bestellung {order} unterwegs ist, bekommen Sie einen Link zur Sendungsverfolgung.',
          from: 'lieferung',
        },
        {
          ask: ['Alles klar, danke!', 'Super, vielen Dank'],
          reply: 'Gern geschehen. Viel Freude damit!',
          isSmallTalk: true,
        },
      ],
    },
    {
      topic: 'delivery',
      lines: [
        {
          ask: ['Was kostet der Versand?', 'Wie hoch sind die Versandkosten für einen Helm?'],
          reply: 'Zubehör kostet 4,90 €, ab 60 € liefern wir kostenlos. Ein Fahrrad kostet 29 €.',
          from: 'lieferung',
        },
      ],
    },
    {
      topic: 'returns',
      weight: 2,
      lines: [
        {
          ask: [
            'Wie kann ich die Handschuhe zurückschicken?',
            'Ich möchte den Helm aus Bestellung {order} umtauschen',
            'Der Sattel passt nicht, wie geht die Rücksendung?',
          ],
          reply:
            'Innerhalb von 30 Tagen: Öffnen Sie Ihre Bestellung, wählen Sie „Zurücksenden“ und drucken Sie das Etikett aus.',
          from: 'ruecksendung',
        },
        {
          ask: ['Und wann bekomme ich mein Geld?', 'Wie lange dauert die Erstattung?'],
          reply: 'Spätestens fünf Werktage, nachdem die Rücksendung bei uns angekommen ist.',
          from: 'ruecksendung',
          mood: 'good',
        },
      ],
    },
    {
      topic: 'warranty',
      lines: [
        {
          ask: [
            'Der Akku von meinem {bike} hält nur noch 20 km. Ist das Garantie?',
            'Ist der Akku von der Garantie abgedeckt?',
          ],
          reply:
            'Akkus behalten zwei Jahre oder 500 Ladungen lang mindestens 70 % ihrer Kapazität. Hat Ihrer weniger, tauschen wir ihn.',
          from: 'garantie',
        },
        {
          ask: [
            'Kann ich bitte mit einem Mitarbeiter sprechen?',
            'Das ist mir zu allgemein, bitte einen Menschen',
          ],
          reply: 'Natürlich. Jemand aus dem Team übernimmt und antwortet hier.',
          isSmallTalk: true,
        },
        { note: 'Akku ist 19 Monate alt, Messung in der Werkstatt nötig.' },
        {
          person:
            'Guten Tag {first}, hier ist Jonas. Bringen Sie das Rad vorbei, wir messen den Akku aus. Das dauert zwanzig Minuten.',
        },
        { ask: ['Prima, ich komme am Samstag.', 'Danke Jonas, bis morgen!'] },
      ],
    },
    {
      topic: 'workshop',
      weight: 2,
      lines: [
        {
          ask: [
            'Was kostet eine Inspektion?',
            'Ich brauche eine Inspektion für mein {bike}',
            'Repariert ihr auch Räder von anderen Händlern?',
          ],
          reply:
            'Eine kleine Inspektion kostet 49 € und dauert eine Stunde, eine große kostet 119 € und dauert einen Tag. Buchen Sie mindestens zwei Tage vorher.',
          from: 'werkstatt',
        },
      ],
    },
    {
      topic: 'other',
      weight: 2,
      lines: [
        {
          ask: [
            'Gibt es bei euch Dienstrad-Leasing?',
            'Kann ich das {bike} über Leasing vom Arbeitgeber nehmen?',
            'bietet ihr Dienstrad Leasing an',
          ],
          reply:
            'Dazu finde ich in dem, was ich über unser Geschäft weiß, nichts. Jemand aus dem Team sieht es sich an.',
        },
        {
          person:
            'Hallo {first}, hier ist Jonas. Ja, wir arbeiten mit drei Anbietern zusammen. Schicken Sie mir den Namen Ihres Anbieters, dann mache ich ein Angebot fertig.',
        },
        { ask: ['Das wäre {email}, danke!', 'Sehr gut, ich frage nach.'] },
      ],
    },
    {
      topic: 'payment',
      lines: [
        {
          ask: ['Ich habe keine Rechnung für {order} bekommen. Meine Mail ist {email}'],
          reply:
            'Dazu finde ich in dem, was ich über unser Geschäft weiß, nichts. Jemand aus dem Team sieht es sich an.',
        },
        { person: 'Guten Tag {first}, die Rechnung ist gerade an Ihre Adresse gegangen. Jonas' },
      ],
    },
  ],
  waiting: [
    {
      topic: 'returns',
      lines: [
        {
          ask: ['Mein {bike} wurde noch nicht abgeholt, Bestellung {order}'],
          reply: 'Fahrräder holen wir bei Ihnen ab. Den Termin finden Sie in Ihrer Bestellung.',
          from: 'ruecksendung',
        },
        {
          ask: ['Da steht keiner. Ich will mit einem Mitarbeiter sprechen'],
          reply: 'Natürlich. Jemand aus dem Team übernimmt und antwortet hier.',
          isSmallTalk: true,
        },
      ],
    },
    {
      topic: 'other',
      lines: [
        {
          ask: ['Habt ihr Dienstrad-Leasing für Selbstständige?'],
          reply:
            'Dazu finde ich in dem, was ich über unser Geschäft weiß, nichts. Jemand aus dem Team sieht es sich an.',
        },
      ],
    },
  ],
  feedback: {
    good: ['Genau das wollte ich wissen', 'Schnell und verständlich', 'Top'],
    bad: ['Zu allgemein', 'Beantwortet meine Frage nicht'],
  },
  comments: {
    good: ['Sehr schnelle Hilfe', 'Freundlich und klar', 'Jonas hat sofort geholfen'],
    bad: ['Musste zweimal fragen', 'Antwort kam erst am nächsten Tag'],
  },
}
