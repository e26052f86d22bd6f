import { writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ownCommand } from '../config/own-command.ts'
import { messageOf } from '../core/background.ts'
import { packageRoot } from '../core/package-root.ts'
import { commandText } from '../core/shell-words.ts'
import { CommandError } from './command-error.ts'
import { printJson, say } from './output.ts'

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
}

/** Writes a starter fixtures file; an existing file is never overwritten. */
export async function init(file: string, options: InitOptions = {}): Promise<void> {
  const $schema = schemaAddress(resolve(file))
  const content = await render(file, { $schema, ...starter })
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
  if (options.json === true) return printJson({ file: resolve(file), $schema })
  const start = commandText([...ownCommand(), 'start', '--fixtures', file])
  say(`Wrote ${file}\nStart with it: ${start}`)
  say('If the sandbox already has stored state, add --reset to load the file.')
}

/**
 * Returns the URL at which an editor finds the schema of the installed package: relative if both are in one project,
 * else absolute, since the package is not published.
 */
export function schemaAddress(file: string, root = packageRoot): string {
  const path = relative(dirname(file), join(root, 'fixtures', 'fixtures.schema.json'))
  // A workspace has node_modules above the file; any other way up leaves the project.
  const isInProject = /^(\.\.[/\\])*node_modules[/\\]|^(?!\.\.)/.test(path) && !isAbsolute(path)
  return isInProject
    ? `./${path.replaceAll('\\', '/')}`.replace('./../', '../')
    : pathToFileURL(join(root, 'fixtures', 'fixtures.schema.json')).href
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
