import { products } from './products.ts'

/** What threads do for a search in many vectors. */
export const productsTasks = { nearest: products }
