/** A call to action in an answer. */
export interface Cta {
  id: number
  name: string
  content: string
  url: string | null
  button: string | null
}
