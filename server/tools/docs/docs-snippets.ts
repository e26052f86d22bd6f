import { readFileSync } from 'node:fs'
import { programs, type FrameworkProgram } from '../../lab/snippets/frameworks.ts'

/**
 * Renders the code of the recipes that the dashboard shows, as a module.
 * @param directory `test/recipes/`
 */
export function renderRecipeCode(directory: URL): string {
  const code = Object.entries(programs).map(([framework, program]) => {
    const read = (name: string) =>
      readFileSync(new URL(`${program.folder}/${name}`, directory), 'utf8')
    const install = program.packages && installCommand(program.packages, read(program.packages))
    const files = program.files.map((name) => ({ name, text: read(name) }))
    return [framework, { ...(install === undefined ? {} : { install }), files }]
  })
  return `// Made from test/recipes by npm run docs.
import type { Snippet } from '../../contract/control-snippets.ts'
import type { Framework } from '../../contract/words/sandbox-words.ts'

export const recipeCode: Readonly<Record<Framework, Pick<Snippet, 'install' | 'files'>>> = ${JSON.stringify(Object.fromEntries(code), null, 2)}
`
}

/** Returns the command that installs the packages which a file lists, in the versions that are tested. */
function installCommand(kind: NonNullable<FrameworkProgram['packages']>, text: string): string {
  if (kind === 'package.json') {
    const { dependencies, devDependencies } = JSON.parse(text) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string> | undefined
    >
    const packages = Object.entries({ ...dependencies, ...devDependencies })
    const install = `npm install ${packages.map(([name, version]) => `${name}@${version}`).join(' ')}`
    // "npm init" of npm 11 writes "type": "commonjs", with which neither Node nor Next.js runs these programs.
    return `npm init -y && npm pkg set type=module && ${install}`
  }
  if (kind === 'requirements.txt') {
    const pip = `pip install ${lines(text).map(shellWord).join(' ')}`
    // Many systems refuse to install packages outside of such a folder.
    return `python3 -m venv .venv && . .venv/bin/activate && ${pip}`
  }
  const direct = lines(text).flatMap(
    (line) => /^(\S+\.\S+\/\S+) (v\S+)$/.exec(line)?.slice(1).join('@') ?? [],
  )
  // "go get" alone lacks the checksums of what those packages import.
  return `go mod init example.com/sign-in && go get ${direct.join(' ')} && go mod tidy`
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** Shells expand the brackets of `gradio[oauth]`. */
function shellWord(word: string): string {
  return word.includes('[') ? `'${word}'` : word
}
