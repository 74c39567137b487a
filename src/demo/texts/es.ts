import type { Texts } from './texts.ts'

export const spanish: Texts = {
  language: 'es',
  share: 12,
  hoursAhead: 1,
  colleague: 'Lucía',
  account: 'lucia',
  customers: [
    'María García',
    'Javier Ortega',
    'Carmen Ruiz',
    'Diego Navarro',
    'Elena Castillo',
    'Pablo Iglesias Soto',
    'Rocío Delgado',
    'Andrés Molina',
    'Nuria Vidal',
    'Hugo Serrano',
  ],
  documents: [
    {
      key: 'envios',
      title: 'Envíos',
      content: `# Envíos

Los accesorios salen de nuestra tienda en un día laborable y llegan en dos a cuatro días. Las bicicletas se montan y se
prueban antes: llegan en cinco a ocho días laborables. El envío de accesorios cuesta 4,90 € y es gratis a partir de
60 €. El de una bicicleta cuesta 29 €.`,
      questions: ['¿Dónde está mi pedido?', '¿Cuánto cuesta el envío?'],
    },
    {
      key: 'devoluciones',
      title: 'Devoluciones',
      content: `# Devoluciones

Puede devolver cualquier artículo en 30 días. Abra su pedido, elija «Devolver» e imprima la etiqueta. Le devolvemos el
dinero en cinco días laborables desde que recibimos el paquete.`,
      questions: ['¿Cómo devuelvo un producto?', '¿Cuándo recibo el reembolso?'],
    },
    {
      key: 'taller',
      title: 'Taller y revisiones',
      content: `# Taller y revisiones

Una revisión pequeña cuesta 49 € y dura una hora, una grande cuesta 119 € y dura un día. Reserve su cita al menos dos
días antes. La primera revisión es gratis en los tres meses después de la compra.`,
      questions: ['¿Cuánto cuesta una revisión?'],
    },
  ],
  stories: [
    {
      topic: 'delivery',
      weight: 3,
      lines: [
        {
          ask: [
            '¿Dónde está mi pedido {order}?',
            'Hola, ¿cuándo llega mi {bike}? Pedido {order}',
            '¿Cuánto tarda el envío?',
          ],
          reply:
            'Las bicicletas se montan y se prueban antes y llegan en cinco a ocho días laborables. Cuando salga su pedido recibirá un correo con el enlace de seguimiento.',
          from: 'envios',
        },
        {
          ask: ['Perfecto, muchas gracias', 'Gracias por la ayuda'],
          reply: 'De nada. ¡Que la disfrute!',
          isSmallTalk: true,
        },
      ],
    },
    {
      topic: 'returns',
      weight: 2,
      lines: [
        {
          ask: ['¿Cómo puedo devolver el casco?', 'Quiero devolver los guantes del pedido {order}'],
          reply: 'Tiene 30 días: abra su pedido, elija «Devolver» e imprima la etiqueta.',
          from: 'devoluciones',
        },
        {
          ask: ['¿Y cuándo recibo el dinero?', '¿Cuánto tarda el reembolso?'],
          reply: 'En cinco días laborables desde que recibimos el paquete.',
          from: 'devoluciones',
        },
      ],
    },
    {
      topic: 'workshop',
      lines: [
        {
          ask: ['¿Cuánto cuesta una revisión?', 'Necesito una revisión para mi {bike}'],
          reply:
            'Una revisión pequeña cuesta 49 € y dura una hora, una grande cuesta 119 € y dura un día. Reserve al menos dos días antes.',
          from: 'taller',
          mood: 'good',
        },
      ],
    },
    {
      topic: 'other',
      lines: [
        {
          ask: ['¿Alquilan bicicletas eléctricas?', '¿Se puede alquilar una bicicleta eléctrica por un día?'],
          reply: 'No encuentro nada sobre eso en lo que sé de la tienda. Una persona del equipo lo mirará.',
        },
        {
          person:
            'Hola {first}, soy Lucía. De momento no alquilamos eléctricas, pero puede probar una en la tienda.',
        },
        { ask: ['Vale, gracias Lucía', 'Entendido, iré el sábado'] },
      ],
    },
    {
      topic: 'delivery',
      lines: [
        {
          ask: ['El paquete {order} llegó abierto y falta el candado'],
          reply: 'Lo siento mucho. Una persona del equipo lo mirará.',
          from: 'envios',
          mood: 'bad',
        },
        {
          ask: ['Quiero hablar con una persona', 'Prefiero hablar con una persona, por favor'],
          reply: 'Claro. Una persona del equipo le responde aquí.',
          isSmallTalk: true,
        },
        { person: 'Hola {first}, soy Lucía. Le enviamos otro candado hoy mismo, sin coste.' },
      ],
    },
  ],
  waiting: [
    {
      topic: 'delivery',
      lines: [
        {
          ask: ['Mi bicicleta llegó sin pedales, pedido {order}'],
          reply: 'Lo siento. Los pedales van en la caja pequeña, debajo del sillín.',
          from: 'envios',
        },
        {
          ask: ['No están. Quiero hablar con una persona, mi teléfono es {phone}'],
          reply: 'Claro. Una persona del equipo le responde aquí.',
          isSmallTalk: true,
        },
      ],
    },
  ],
  feedback: { good: ['Justo lo que buscaba', 'Muy claro'], bad: ['Demasiado general'] },
  comments: { good: ['Respuesta muy rápida', 'Todo resuelto'], bad: ['Tuve que preguntar dos veces'] },
}
