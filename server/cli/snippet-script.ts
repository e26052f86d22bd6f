import type { Snippet } from '../contract/control-snippets.ts'
import { dotenvLine } from '../contract/dotenv.ts'
import { quoteWord } from '../core/shell-words.ts'

/**
 * Returns a POSIX shell script that writes the files of a snippet and its `.env` into the current folder, and prints the
 * commands that install and run the program. If one of the files exists, it writes nothing and fails.
 * @param app name of the app that the program signs in as
 */
export function snippetScript(
  { name, environment, install, files, run, url }: Snippet,
  app: string,
): string {
  const settings = Object.entries(environment).map(([key, value]) => dotenvLine(key, value))
  const all = [{ name: '.env', text: `${settings.join('\n')}\n` }, ...files]
  const names = all.map((file) => quoteWord(file.name, 'linux'))
  const steps = [
    `Wrote ${all.map((file) => file.name).join(', ')}`,
    ...(install === undefined ? [] : [`Install: ${install}`]),
    `Run: ${run}`,
    ...(url === undefined ? [] : [`Then open ${url}`]),
  ].join('\n')
  return [
    `# Sign-in as ${oneLine(app)} with ${name}. Pipe it into sh to write the files.`,
    'present=',
    `for file in ${names.join(' ')}; do`,
    // A link to a file that is missing is also one that "cat >" would write through.
    '  if [ -e "$file" ] || [ -L "$file" ]; then present="$present $file"; fi',
    'done',
    // Without "exit": "eval" runs the script in the shell of the user.
    'if [ -n "$present" ]; then',
    '  echo "This folder already has:$present. Nothing was written. Use an empty folder." >&2',
    '  false',
    'else',
    ...all.flatMap(writeFile),
    '',
    ...writeTo('', `${steps}\n`),
    'fi',
  ].join('\n')
}

function writeFile({ name, text }: Snippet['files'][number]): string[] {
  const folder = name.split('/').slice(0, -1).join('/')
  return [
    '',
    ...(folder === '' ? [] : [`mkdir -p ${quoteWord(folder, 'linux')}`]),
    ...writeTo(` > ${quoteWord(name, 'linux')}`, text),
  ]
}

/** The quotes keep the shell from expanding the text. */
function writeTo(target: string, text: string): string[] {
  const end = endOf(text)
  return [`cat${target} <<'${end}'`, text.replace(/\n$/, ''), end]
}

/** Returns a word to end the text with: one that is not a line of it. */
function endOf(text: string): string {
  const lines = new Set(text.split('\n'))
  let end = 'END'
  while (lines.has(end)) end += '_'
  return end
}

/** A name with a line break would end the comment. */
function oneLine(name: string): string {
  return name.replaceAll(/\p{Cc}|\u2028|\u2029/gu, ' ')
}
