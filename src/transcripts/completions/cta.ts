/** A call to action as answers carry it. */
export interface Cta {
  id: number
  name: string
  content: string
  url: string | null
  button: string | null
}
