/**
 * Splits a command into words: quotes keep spaces, a backslash keeps the next character. There is no expansion and no
 * shell.
 * @throws {TypeError} when it is empty or a quote is not closed
 */
export function splitCommand(command: string): [program: string, ...args: string[]] {
  const words: string[] = []
  let word: string | undefined
  let quote: string | undefined
  for (let index = 0; index < command.length; index++) {
    const character = command[index] ?? ''
    if (character === '\\' && quote !== "'" && /[\s"'\\]/.test(command[index + 1] ?? '')) {
      word = (word ?? '') + (command[++index] ?? '')
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined
      else word = (word ?? '') + character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  if (word !== undefined) words.push(word)
  if (quote !== undefined) throw new TypeError(`the quote ${quote} is not closed: ${command}`)
  const [program, ...args] = words
  if (program === undefined) throw new TypeError('the command is empty')
  return [program, ...args]
}
