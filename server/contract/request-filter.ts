// Filter line for requests, shared by the dashboard, the command line and the control API.

/** Filter keys with a description of their values. */
export const requestFilterKeys = {
  status: '404, or 4xx for a class; 0 = the connection was cut',
  method: 'GET, POST, …',
  route: 'a path; `*` matches any characters: /oauth/*',
  user: 'a username',
  app: 'name or client id of an app',
  grant: '`grant_type` of a token request, or a part of it',
  error: 'error code of the response, or a part of it',
  flow: 'id of a sign-in',
  is: 'refused, or broken by a fault',
} as const
export type RequestFilterKey = keyof typeof requestFilterKeys

/** Quoted string: a doubled quote is a literal one, and an unclosed string extends to the end. */
const quoted = '"((?:[^"]|"")*)(?:"|$)'
const filterWords = new RegExp(`(?:[^\\s"]|${quoted})+`, 'g')
const quotedText = new RegExp(quoted, 'g')

/** Splits a filter line into words; a quoted string is one word, and so is `last 5m`. */
export function splitFilter(line: string): string[] {
  const words = line.match(filterWords) ?? []
  const joined: string[] = []
  for (const word of words) {
    const before = joined.at(-1)
    if (before === 'last' || before === '-last') joined[joined.length - 1] = `${before} ${word}`
    else joined.push(word)
  }
  return joined
}

/** Formats a value as a word of a filter line. */
export function filterWord(key: RequestFilterKey, value: string): string {
  return /[\s"]/.test(value) ? `${key}:"${value.replaceAll('"', '""')}"` : `${key}:${value}`
}

/** Removes the quotes of a word or value. */
export function unquote(text: string): string {
  return text.replaceAll(quotedText, (_, inside: string) => inside.replaceAll('""', '"'))
}
