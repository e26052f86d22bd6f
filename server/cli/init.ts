import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ownCommand } from '../app/config/own-command.ts'
import { messageOf } from '../core/background.ts'
import { commandText } from '../core/shell-words.ts'
import { CommandError } from './command-error.ts'
import { print, printJson, printList, say } from './output.ts'
import { pathToPackage } from './path-to-package.ts'

const starter = {
  users: [
    {
      username: 'alice',
      fullname: 'Alice Martin',
      isPro: true,
      tokens: [{ token: 'hf_sandbox_alice' }],
    },
    { username: 'bob', tokens: [{ token: 'hf_sandbox_bob' }] },
  ],
  organizations: [
    {
      name: 'acme',
      plan: 'enterprise',
      members: [
        { user: 'alice', role: 'admin' },
        { user: 'bob', role: 'write' },
      ],
    },
  ],
  apps: [
    {
      name: 'My app',
      redirectUris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      scopes: ['openid', 'profile', 'email', 'read-repos'],
    },
    {
      name: 'My server app',
      clientSecret: 'sandbox_secret_my_server_app',
      redirectUris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      scopes: ['openid', 'profile', 'email'],
    },
  ],
  repos: [
    { type: 'dataset', name: 'acme/corpus', files: { 'README.md': '# corpus\n' } },
    { type: 'model', name: 'alice/private-model', private: true },
  ],
  config: { deliveryProfile: 'hub' },
}

export interface InitOptions {
  json?: boolean
  /** Whether to write a skill file for coding agents. */
  agent?: boolean
  /** Name of a sample to copy; true = list the samples. */
  sample?: string | true
}

/** Writes a starter fixtures file; an existing file is never overwritten. */
export async function init(given: string | undefined, options: InitOptions = {}): Promise<void> {
  if (options.sample !== undefined) return initSample(options.sample, given, options)
  if (options.agent === true) return initAgent(given ?? 'SKILL.md', options)
  const file = given ?? 'hub-sandbox.json'
  const $schema = schemaAddress(resolve(file))
  await writeNew(file, await render(file, { $schema, ...starter }))
  if (options.json === true) return printJson({ file: resolve(file), $schema })
  const start = commandText([...ownCommand(), 'start', '--fixtures', file])
  say(`Wrote ${file}\nStart with it: ${start}`)
  say('If the sandbox already has stored state, add --reset to load the file.')
}

/** Writes a skill file, in a new folder if need be: agents look for skills in folders of their own. */
async function initAgent(file: string, { json }: InitOptions): Promise<void> {
  if (!/\.md$/i.test(file)) {
    throw new CommandError(`The name of a skill file must end in .md, not ${file}.`, {
      exitCode: 2,
    })
  }
  const { agentSkill } = await import('./agent-skill.ts')
  // If this fails, writing the file says why.
  await mkdir(dirname(resolve(file)), { recursive: true }).catch(() => undefined)
  await writeNew(file, agentSkill())
  if (json === true) return printJson({ file: resolve(file) })
  say(
    `Wrote ${file}\nPut it where your agent looks for skills, such as .claude/skills/hub-sandbox/SKILL.md.`,
  )
}

/** Copies a sample into a folder of its name or the given one, or lists the samples. */
async function initSample(
  name: string | true,
  given: string | undefined,
  { json }: InitOptions,
): Promise<void> {
  const { commandsOf, copySample, listSamples, sampleNamed } = await import('./samples.ts')
  if (name === true) {
    const items = listSamples().map((sample) => ({ name: sample.name, title: sample.title }))
    return printList({ json: json === true }, items, (item) => [item.name, item.title], '')
  }
  const sample = sampleNamed(name)
  const folder = given ?? name
  const files = await copySample(sample, resolve(folder))
  const own = commandText(ownCommand())
  const commands = (await commandsOf(sample)).map((line) =>
    line.replace('npx --no hub-sandbox', own),
  )
  if (json === true) return printJson({ folder: resolve(folder), files, commands })
  say(`Wrote ${files.length} files to ${folder}: ${files.join(', ')}\nRun it:\n`)
  print([`cd ${commandText([folder])}`, ...commands].join('\n'))
}

/** @throws {CommandError} for a file that exists or cannot be written */
async function writeNew(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content, { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      throw new CommandError(`${file} already exists. Use another name.`, { exitCode: 2 })
    }
    if (code === 'ENOENT')
      throw new CommandError(`The folder of ${file} does not exist.`, { exitCode: 2 })
    throw new CommandError(
      `Cannot write ${file} (${messageOf(error)}). Use a file in a writable folder.`,
      { exitCode: 2, cause: error },
    )
  }
}

/**
 * Returns the URL at which an editor finds the schema of the installed package: relative if both are in one project,
 * else absolute, since the package is not published.
 */
export function schemaAddress(file: string, root?: string): string {
  const path = join(pathToPackage(dirname(file), root), 'fixtures', 'fixtures.schema.json')
  if (isAbsolute(path)) return pathToFileURL(path).href
  return `./${path.replaceAll('\\', '/')}`.replace('./../', '../')
}

async function render(file: string, value: { $schema: string }): Promise<string> {
  if (/\.(json|hubsandbox)$/i.test(file)) return `${JSON.stringify(value, undefined, 2)}\n`
  if (/\.ya?ml$/i.test(file)) {
    const { stringify } = await import('yaml')
    const { $schema, ...rest } = value
    return `# yaml-language-server: $schema=${$schema}\n${stringify(rest)}`
  }
  throw new CommandError(
    'The name of a fixtures file must end in .json, .yaml, .yml or .hubsandbox.',
    {
      exitCode: 2,
    },
  )
}
