import { wordEnd } from '../engine/characters.ts'
import { FOREIGN } from '../engine/page.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { step } from '../engine/step.ts'
import { wordList } from '../engine/word-list.ts'

const TYPE = 'COORDINATES'
const JOINT =
  /["'”]?[^\S\n]{0,3}(?:(?:are|is|sind|ist|sont|son|sono|são|zijn|to|är|er|point|pin|position|data|decimal)(?![\p{L}])[^\S\n]{0,2})?(?:[:：=(]|は|是|は|는)?[^\S\n]{0,2}["'(“]?/iuy
/** One number, or two: latitude and longitude, with or without directions. */
const DECIMAL =
  /[-+−]?\d{1,3}[.]\d{3,15}°?[^\S\n]?[NSEWO]?(?:(?:[^\S\n]{0,2}[,;/][^\S\n]{0,2}|[^\S\n]{1,2})[-+−]?\d{1,3}[.]\d{3,15}°?(?:[^\S\n]?[NSEWO](?![\p{L}]))?)?(?![\p{L}\d]|\.\d)/uy
const DEGREES =
  /\d{1,3}° ?\d{1,2}(?:\.\d{1,6})?(?:['′’] ?(?:\d{1,2}(?:[.,]\d{1,4})?(?:["″”]|''))?)? ?[NSEWO](?:[, ]{1,2}\d{1,3}° ?\d{1,2}(?:\.\d{1,6})?(?:['′’] ?(?:\d{1,2}(?:[.,]\d{1,4})?(?:["″”]|''))?)? ?[NSEWO])?(?![\p{L}\d])/uy
/** A pair that a word in the same sentence shows to be a place, though it does not stand right before it. */
const PAIR = /\d{1,2}\.\d{4,10},[^\S\n]?[-−]?\d{1,3}\.\d{4,10}(?![\p{L}\d]|\.\d)/uy
/** A pair behind a word that may also stand before other numbers. */
const WHEREABOUTS = /[-−]?\d{1,2}\.\d{4,15},[^\S\n]?[-−]?\d{1,3}\.\d{4,15}(?![\p{L}\d]|\.\d)/uy
const DEGREE = 0xb0

/** Places on the map: in degrees and minutes, or as decimals behind a word. */
export const coordinates: Recognizer = {
  type: TYPE,
  label: 'Coordinates',
  example: '52.520008, 13.404954',
  phrases: {
    coordinate: wordList(
      'lat, latitude, lng, lon, longitude, latlng, lat/lon, lat/lng, lat/long, lat lon, lat long, gps, gps coordinates, gps location, coordinates, coordinate, coords, geo, geolocation, koordinaten*, gps-koordinaten*, breitengrad*, langengrad*',
      'coordonnees, coordonnees gps, coordenadas, latitud, longitud, coordinate gps, latitudine, longitudine, coordinaten, breedtegraad, lengtegraad, wspolrzedne*, szerokosc, dlugosc, koordinater*, koordinat*, koordinaatit*, souradnice*, suradnice',
      'coordonate, enlem, boylam, координаты*, широта, долгота, координати, довгота, συντεταγμενες, קואורדינטות, إحداثيات, الإحداثيات, خط العرض, خط الطول, مختصات, निर्देशांक, अक्षांश, देशांतर',
      '坐标, 座標, 緯度, 経度, 纬度, 经度, 緯度経度, 좌표, 위도, 경도, พิกัด, ละติจูด, ลองจิจูด, toa do, vi do, kinh do, titik koordinat, lintang, bujur',
    ),
    whereabouts: wordList(
      'location, position, point, pin, place, origin, destination, standort, ort, lage, emplacement, lieu, ubicacion, posicion, lugar, localizacao, localizacion, posicao, posizione, luogo, locatie, plaats, lokalizacja, polozenie, poloha, plats, sted, sijainti, helyzet, pozitie, konum, lokacija',
      'местоположение, локация, місцезнаходження, τοποθεσια, θεση, מיקום, الموقع, موقعي, موقعیت, स्थान, लोकेशन, ตำแหน่ง, vi tri, lokasi, posisi, mahali, 位置, 现在地, 現在地, 위치',
    ),
  },
  look(page, token) {
    const start = page.tokenStart(token)
    const pair = step(PAIR, page.text, start)
    if (pair > start && page.distance('coordinate', start, pair) < FOREIGN)
      return { start, end: pair, strength: 'alone' }
    if (page.text.charCodeAt(page.tokenEnd(token)) !== DEGREE || !page.isNumber(token)) return
    const to = step(DEGREES, page.text, start)
    return to > start ? { start, end: to, strength: 'alone' } : undefined
  },
  find(page) {
    page.eachPhrase('coordinate', (_, end) => {
      const behind = wordEnd(page.text, end)
      const from = step(JOINT, page.text, behind)
      const to = step(DECIMAL, page.text, from)
      if (to > from && from > behind) page.add(TYPE, from, to, 'alone')
    })
    page.eachPhrase('whereabouts', (_, end) => {
      const from = step(JOINT, page.text, wordEnd(page.text, end))
      const to = step(WHEREABOUTS, page.text, from)
      if (to > from) page.add(TYPE, from, to, 'alone')
    })
  },
  examples: [
    'GPS: «52.520008, 13.404954»',
    'gps puts my house at «67.30944, 19.69008», the driver cannot find it',
    'drop it at «17.66186,-109.45041» (gps)',
    'lat: «52.520008» lng: «13.404954»',
    'Koordinaten «48.137154 11.576124»',
    `I am at «52°31'12"N 13°24'18"E» now`,
    'координаты: «55.755826, 37.617300»',
    'location=«50.85007, 34.91760»',
    'my location is «40.88856, 118.15258», second gate',
    'standort «8.76398,-62.42466»',
    '坐标：«39.9042, 116.4074»',
  ],
  counterExamples: [
    'it is 52.520008 high',
    'it is 25° and sunny',
    'gps is off',
    'latitude of 5 degrees',
    'version 1.2345',
    'position 1.25, 3.75',
    'losses 0.12345, 0.98765',
  ],
}
