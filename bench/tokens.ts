import { Tiktoken } from 'js-tiktoken/lite'
import o200k from 'js-tiktoken/ranks/o200k_base'

// A public tokenizer: models count a little differently, and all of them by the same order.
const tokenizer = new Tiktoken(o200k)

/** How many tokens a text costs a model that reads it. */
export const tokensOf = (text: string) => tokenizer.encode(text, [], []).length
