/** Words that forms contain in place of a value. */
const EMPTY =
  /^(?:n\/?a|none|null|nil|undefined|unknown|not|no|yes|true|false|tbd|tba|todo|invalid|missing|empty|error|ok|test|string|text|varchar|integer|int|number|date|required|optional|name|value|example|sample|anonymous|guest|admin|user|customer|deleted|redacted|hidden|same|see|your .*|enter .*|please .*|select .*|unbekannt|keine?r?|inconnu|desconocido|sconosciuto|desconhecido|onbekend|nieznany|неизвестно|нет|无|なし|없음)$/i
const NAME =
  /^(?:\p{L}{1,5}\. ?){0,3}[\p{L}\p{M}][\p{L}\p{M}'’.·・-]{0,30}(?:(?: |, ?)[\p{L}\p{M}'’.·・-]{1,30}){0,5}\.?$/u
const LONGEST_NAME = 60
const LONGEST_PLACE = 160
/** Other things that are called an address, code, and the values of settings. */
const NO_PLACE = /[@{}<>[\]=|]|:\/\/|^0x|^[\d.:]+\.\d+\.\d+|^[\w-]+(?:\.[\w-]+)+$|^https?/i

/** Tells whether forms contain a value in place of one. */
export function saysNothing(value: string): boolean {
  return EMPTY.test(value)
}

/** Tells whether a value of a record can be the name of a person, or of people. */
export function canBeName(value: string): boolean {
  return value.length > 1 && value.length <= LONGEST_NAME && NAME.test(value) && !EMPTY.test(value)
}

/** Tells whether a value can be an address or a part of one. */
export function canBePlace(value: string): boolean {
  return (
    value.length > 2 &&
    value.length <= LONGEST_PLACE &&
    (/\p{L}/u.test(value) || /^[\d -]{3,10}$/.test(value)) &&
    !NO_PLACE.test(value) &&
    !EMPTY.test(value)
  )
}
