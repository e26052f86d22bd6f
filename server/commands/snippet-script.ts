import type { Snippet } from '../contract/control-snippets.ts'
import { dotenvLine } from '../contract/dotenv.ts'
import { quoteWord } from '../core/shell-words.ts'

/**
 * Returns a POSIX shell script that writes the files of a snippet and its `.env` into the current folder, and names the
 * commands that install and run the program.
 * @param app name of the app that the program signs in as
 */
export function snippetScript(
  { name, environment, install, files, run, url, redirectUri }: Snippet,
  app: string,
): string {
  const settings = Object.entries(environment).map(([key, value]) => dotenvLine(key, value))
  return [
    `# Sign-in as ${oneLine(app)} with ${name}`,
    ...(redirectUri === undefined ? [] : [`# Redirect URI: ${redirectUri}`]),
    ...[{ name: '.env', text: `${settings.join('\n')}\n` }, ...files].flatMap(writeFile),
    '',
    ...(install === undefined ? [] : [`# Install: ${install}`]),
    `# Run: ${run}`,
    ...(url === undefined ? [] : [`# Then open ${url}`]),
  ].join('\n')
}

function writeFile({ name, text }: Snippet['files'][number]): string[] {
  const folder = name.split('/').slice(0, -1).join('/')
  const end = endOf(text)
  return [
    '',
    ...(folder === '' ? [] : [`mkdir -p ${quoteWord(folder, 'linux')}`]),
    // The quotes keep the shell from expanding the text.
    `cat > ${quoteWord(name, 'linux')} <<'${end}'`,
    text.replace(/\n$/, ''),
    end,
  ]
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
