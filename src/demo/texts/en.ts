import type { Texts } from './texts.ts'

export const english: Texts = {
  language: 'en',
  share: 42,
  hoursAhead: 0,
  colleague: 'Mia',
  account: 'mia',
  customers: [
    'Olivia Bennett',
    'Harry Walsh',
    'Priya Nair',
    'Tom Fletcher',
    'Grace Adeyemi',
    'Liam O’Connor',
    'Chloe Martin',
    'Daniel Cohen',
    'Amelia Wright',
    'Noah Campbell',
    'Zara Ahmed',
    'Ethan Brooks',
    'Ruth Kowalski',
    'Samuel Osei',
    'Isla Macdonald',
    'Ben Archer',
    'Maya Thompson',
    'Oscar Lindqvist',
    'Hannah Price',
    'George Papadakis',
    'Ella Robinson',
    'Victor Chen',
    'Alice Hughes',
    'Ravi Patel',
    'Sophie Turner',
    'Jack Doyle',
    'Leah Goldberg',
    'Marcus Reid',
    'Nina Petrova',
    'Dylan Evans',
  ],
  documents: [
    {
      key: 'delivery',
      title: 'Delivery',
      content: `# Delivery

## How long does delivery take?

Accessories leave our store within one working day and arrive in two to four working days. Bicycles are assembled and
tested first: they arrive in five to eight working days. You get an e-mail with a tracking link when your order leaves.

## What does delivery cost?

Accessories cost 4.90. From 60 delivery is free. A bicycle costs 29, and is delivered ready to ride.

## Where do you deliver?

We deliver in Europe and Japan.`,
      questions: ['Where is my order?', 'How do I track my parcel?', 'How much is shipping?'],
    },
    {
      key: 'returns',
      title: 'Returns and refunds',
      content: `# Returns and refunds

## How do I return something?

You can return anything within 30 days. Open your order, choose "Return" and print the label. Bicycles are collected
from your door. What was ridden outside is taken back with a deduction for wear.

## When do I get my money back?

We refund within five working days after the return has arrived, to the card or account with which you paid.`,
      questions: ['I want to send something back', 'When will I get my refund?'],
    },
    {
      key: 'warranty',
      title: 'Warranty',
      content: `# Warranty

## What does the warranty cover?

Frames have a warranty of ten years, everything else of two years. Wear, such as of chains, brake pads and tyres, is
not covered. Batteries of electric bicycles keep at least 70 % of their capacity for two years or 500 charges.

## How do I claim it?

Send us the order number and a photo. In most cases we answer within a day.`,
      questions: ['My bike is broken', 'Does the warranty cover the battery?'],
    },
    {
      key: 'workshop',
      title: 'Workshop and service',
      content: `# Workshop and service

## How do I book a service?

Book a slot in our workshop at least two days ahead. A small service costs 49 and takes an hour, a large one costs 119
and takes a day. The first service within 300 km or three months is free for bicycles bought from us.

## What does a puncture cost?

Mending a puncture costs 15 with the tube. You can wait for it.`,
      questions: ['Can you repair my bike?', 'How much is a service?'],
    },
    {
      key: 'sizes',
      title: 'Finding your size',
      content: `# Finding your size

Measure the inside of your leg, from the floor up, without shoes. Up to 72 cm is size S, up to 80 cm M, up to 88 cm L,
and XL above that. Between two sizes take the smaller one for a sporty position and the larger one for comfort.

Children's bicycles go by height: 16 inch from 105 cm, 20 inch from 115 cm, 24 inch from 130 cm.`,
      questions: ['Which frame size do I need?', 'What size for a child?'],
    },
    {
      key: 'payment',
      title: 'Payment',
      content: `# Payment

You can pay by card, bank transfer, PayPal or in three instalments without interest from an order of 300. The invoice
comes by e-mail. Companies can pay within 14 days after a check.`,
      questions: ['Can I pay in instalments?', 'Where is my invoice?'],
    },
    {
      key: 'opening-hours',
      title: 'Opening hours',
      content: `# Opening hours

The shop at 12 Elm Street is open Monday to Friday from 10 to 18 and Saturday from 10 to 16. The workshop closes an
hour earlier. Test rides need no appointment.`,
      questions: ['When are you open?', 'Can I try a bike?'],
    },
  ],
  stories: [
    {
      topic: 'delivery',
      weight: 3,
      lines: [
        {
          ask: [
            'Where is my order {order}?',
            'hi, when will order {order} arrive?',
            'I ordered a {bike} last week, number {order}. Any news?',
          ],
          reply:
            'Bicycles are assembled and tested first and arrive in five to eight working days. You get an e-mail with a tracking link as soon as order {order} leaves our store.',
          from: 'delivery',
        },
        {
          ask: ['Does it come ready to ride?', 'Do I have to put it together myself?'],
          reply: 'No, your bicycle is delivered ready to ride. You only need to turn the handlebar straight.',
          from: 'delivery',
          mood: 'good',
        },
        {
          ask: ['Great, thanks!', 'thank you', 'Perfect, that helps'],
          reply: 'You are welcome. Enjoy the ride!',
          isSmallTalk: true,
        },
      ],
    },
    {
      topic: 'delivery',
      weight: 2,
      lines: [
        {
          ask: ['How much is shipping for a helmet?', 'what does delivery cost?', 'Is delivery free?'],
          reply: 'Accessories cost 4.90 to deliver, and nothing from an order of 60. A bicycle costs 29.',
          from: 'delivery',
        },
      ],
    },
    {
      topic: 'delivery',
      lines: [
        {
          ask: [
            'My parcel {order} says delivered but nothing is here',
            'tracking says delivered, I have no parcel. order {order}',
          ],
          reply:
            'I am sorry about that. Look with your neighbours first: carriers often leave parcels there. If it is not there, a colleague can start a search.',
          from: 'delivery',
          mood: 'bad',
        },
        {
          ask: ['Not with the neighbours. I want to talk to a person', 'No. Can I speak to a human please?'],
          reply: 'Of course. A colleague takes over and answers here.',
          isSmallTalk: true,
        },
        { note: 'Carrier confirms: left at the depot by mistake, comes tomorrow.' },
        {
          person:
            'Hello {first}, this is Mia. I called the carrier: your parcel is still in their depot and comes tomorrow before noon. Sorry for the trouble.',
        },
        { ask: ['Thank you Mia, that was quick.', 'ok thanks for checking'] },
        { person: 'You are welcome. I will look tomorrow whether it has arrived.' },
      ],
    },
    {
      topic: 'returns',
      weight: 3,
      lines: [
        {
          ask: [
            'How do I return a jacket?',
            'I want to send back the gloves from order {order}',
            'The helmet is too small. Can I return it?',
          ],
          reply:
            'You can return anything within 30 days: open your order, choose "Return" and print the label.',
          from: 'returns',
        },
        {
          ask: ['And when do I get my money back?', 'how long does the refund take?'],
          reply:
            'We refund within five working days after the return has arrived, to the card or account with which you paid.',
          from: 'returns',
        },
      ],
    },
    {
      topic: 'returns',
      lines: [
        {
          ask: [
            'I sent the {bike} back two weeks ago and still have no refund. Order {order}, my e-mail is {email}',
          ],
          reply:
            'We refund within five working days after a return has arrived. A colleague can see where yours is.',
          from: 'returns',
          mood: 'bad',
          flag: 'Does not answer my question',
        },
        {
          person:
            'Hello {first}, Mia here. Your return arrived on Monday, the refund left today. Your bank needs one or two days.',
        },
        { ask: ['Finally. Thanks.', 'Good to know, thank you.'] },
      ],
    },
    {
      topic: 'warranty',
      weight: 2,
      lines: [
        {
          ask: [
            'The battery of my {bike} only lasts 20 km now. Is that covered?',
            'Does the warranty cover the battery?',
          ],
          reply:
            'Batteries keep at least 70 % of their capacity for two years or 500 charges. If yours has less, we replace it.',
          from: 'warranty',
        },
        {
          ask: ['What do you need from me?', 'How do I claim it?'],
          reply: 'Send us the order number and a photo. In most cases we answer within a day.',
          from: 'warranty',
        },
      ],
    },
    {
      topic: 'warranty',
      lines: [
        {
          ask: [
            'The frame of my {bike} has a crack near the saddle',
            'there is a crack in my frame, is it safe to ride?',
          ],
          reply:
            'Please do not ride it any more. Frames have a warranty of ten years: send us the order number and a photo of the crack.',
          from: 'warranty',
        },
        {
          ask: [
            'Order {order}. Phone {phone}, call me please',
            'It is order {order}. I need a human agent for this',
          ],
          reply: 'A colleague takes over and answers here.',
          isSmallTalk: true,
        },
        { note: 'Photo shows the weld. Replace the frame, do not argue.' },
        {
          person:
            'Hello {first}, Mia from Elm Street Cycles. That is a clear case: we replace the frame. We collect the bicycle on Thursday, is that all right?',
        },
        { ask: ['Thursday works. Thank you!', 'Yes, after 5 pm please'] },
      ],
    },
    {
      topic: 'workshop',
      weight: 2,
      lines: [
        {
          ask: [
            'How much is a service?',
            'I need a service for my {bike}, what does it cost?',
            'Can you repair a bike I did not buy from you?',
          ],
          reply:
            'A small service costs 49 and takes an hour, a large one costs 119 and takes a day. Book a slot at least two days ahead.',
          from: 'workshop',
        },
        {
          ask: ['Is the first service free?', 'I bought it from you two months ago, is there a discount?'],
          reply: 'Yes: the first service within 300 km or three months is free for bicycles bought from us.',
          from: 'workshop',
          mood: 'good',
        },
      ],
    },
    {
      topic: 'advice',
      weight: 3,
      lines: [
        {
          ask: [
            'I am 1.78 m. Which size of the {bike}?',
            'which frame size do I need?',
            'Is M or L right for me? Inside leg 81 cm',
          ],
          reply:
            'Measure the inside of your leg without shoes: up to 72 cm is S, up to 80 cm M, up to 88 cm L. Between two sizes take the smaller one for a sporty position.',
          from: 'sizes',
        },
        {
          ask: ['And for my daughter, she is 120 cm?', 'what size for a 6 year old, 117 cm?'],
          reply: 'Children’s bicycles go by height: from 115 cm a 20 inch bicycle fits.',
          from: 'sizes',
        },
      ],
    },
    {
      topic: 'advice',
      weight: 2,
      lines: [
        {
          ask: ['When are you open on Saturday?', 'opening hours?', 'Can I come for a test ride tomorrow?'],
          reply:
            'The shop is open Monday to Friday from 10 to 18 and Saturday from 10 to 16. Test rides need no appointment.',
          from: 'opening-hours',
        },
      ],
    },
    {
      topic: 'payment',
      weight: 2,
      lines: [
        {
          ask: ['Can I pay in instalments?', 'do you take PayPal?', 'Is there financing for the {bike}?'],
          reply:
            'Yes: by card, bank transfer, PayPal, or in three instalments without interest from an order of 300.',
          from: 'payment',
        },
        {
          ask: [
            'Here is my card: 4111 1111 1111 1111, exp 04/29',
            'my card number is 5500 0000 0000 0004, can you charge it?',
          ],
          reply: 'I cannot take card numbers here. Please pay at the checkout, where they are safe.',
          from: 'payment',
        },
      ],
    },
    {
      topic: 'other',
      weight: 2,
      lines: [
        {
          ask: [
            'Do you rent out tandems?',
            'can I rent a tandem for a weekend?',
            'is it possible to rent a tandem',
          ],
          reply: 'I have no answer to that in what I know of our shop. A colleague will look into it.',
        },
        { person: 'Hello {first}, Mia here. We rent out two tandems, 45 a day. Shall I keep one for you?' },
        { ask: ['Yes please, for Saturday!', 'Not this week, but good to know'] },
      ],
    },
    {
      topic: 'other',
      weight: 2,
      lines: [
        {
          ask: [
            'Do you buy used bikes?',
            'Do you take my old bike in part exchange?',
            'can I trade in my old bike',
          ],
          reply: 'I have no answer to that in what I know of our shop. A colleague will look into it.',
        },
        {
          person:
            'Hello {first}, we do not buy used bicycles yet, sorry. A charity two doors down takes them.',
        },
      ],
    },
    {
      topic: 'other',
      lines: [
        { ask: ['you are idiots, where is my bike', 'What idiots work there?'] },
        {
          person:
            'Hello {first}, this is Mia. I understand that waiting is annoying. What is your order number?',
        },
        { ask: ['{order}. Sorry for the words.', 'Order {order}'] },
        { person: 'No harm done. It left this morning, the link is in your inbox.' },
      ],
    },
  ],
  waiting: [
    {
      topic: 'delivery',
      lines: [
        {
          ask: ['My {bike} arrived with a bent wheel. Order {order}'],
          reply:
            'I am sorry. Send us a photo: we answer within a day in most cases, and damage in transit is always covered.',
          from: 'warranty',
        },
        {
          ask: ['I would rather talk to a person, I need it on Friday'],
          reply: 'Of course. A colleague takes over and answers here.',
          isSmallTalk: true,
        },
      ],
    },
    {
      topic: 'other',
      lines: [
        {
          ask: ['Do you rent out cargo bikes for a day?'],
          reply: 'I have no answer to that in what I know of our shop. A colleague will look into it.',
        },
      ],
    },
    {
      topic: 'workshop',
      lines: [
        {
          ask: ['Can you fit a child seat to my {bike}?'],
          reply: 'Book a slot in our workshop at least two days ahead.',
          from: 'workshop',
        },
        { person: 'Hello {first}, Mia here. Yes, we can. Which seat is it?' },
        { ask: ['It is the one with the 30 mm clamp. Do I need to bring anything else?'] },
      ],
    },
    {
      topic: 'payment',
      lines: [
        {
          ask: ['I was charged twice for order {order}'],
          reply: 'The invoice comes by e-mail. You can pay by card, bank transfer or PayPal.',
          from: 'payment',
          flag: 'I was charged twice, this is no help',
          mood: 'bad',
        },
      ],
    },
    { topic: 'delivery', lines: [{ ask: ['Can I still change the address of order {order}?'] }] },
  ],
  feedback: {
    good: [
      'Exactly what I wanted to know',
      'Quick and clear',
      'Better than searching the site',
      'Nice, thanks',
    ],
    bad: ['Too general', 'I asked for something else', 'The link would have been enough'],
  },
  comments: {
    good: [
      'Very quick answer on a Sunday',
      'Friendly and to the point',
      'Solved in two minutes',
      'Mia was great',
    ],
    bad: ['Had to ask twice', 'Took until the next day', 'The bot did not understand me'],
  },
}
