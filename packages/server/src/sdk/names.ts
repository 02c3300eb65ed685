const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** `verify_email` as a method is called: `verifyEmail`. */
export function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** `documents.credit_note` as a type is called: `DocumentsCreditNote`. */
export function pascal(name: string): string {
  return name.split(/[._]/).map(capital).join('')
}

/** The names in the path, in its order: they are the first arguments of a method. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
}
