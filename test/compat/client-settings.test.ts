import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, parseEnv } from 'node:util'
import { execFile } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clientSettings, type SettingsClient } from '../../server/contract/client-settings.ts'
import type { SandboxOptions } from '../../server/contract/options-types.ts'
import { bareEnvironment, hasProgram, run } from '../helpers/programs.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const token = 'hf_sandbox_alice'

async function settingsOf(client: SettingsClient, options: SandboxOptions = {}) {
  const sandbox = await startTestSandbox(options)
  const { environment } = await sandbox.control<{ environment: Record<string, string> }>(
    'GET',
    'overview',
  )
  const text = clientSettings(client, environment, `printf ${token}`)
  return { sandbox, environment, text }
}

/** Runs a module as a file of the project would be: packages are found. */
async function runModule(code: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { cwd: root, env: bareEnvironment({ HF_TOKEN: token }), timeout: 30_000 },
  )
  return stdout
}

describe('the settings that are shown for a client', () => {
  test('curl asks who has the token', async ({ skip }) => {
    skip(!hasProgram('curl'), 'curl is not installed')
    const { text } = await settingsOf('curl')
    expect(JSON.parse(await run('sh', ['-c', text.replace('curl ', 'curl -s ')]))).toMatchObject({
      name: 'alice',
    })
  })

  test('curl trusts the certificate of the sandbox, and Node is told how to', async ({ skip }) => {
    skip(!hasProgram('curl'), 'curl is not installed')
    const options = { https: true, data: temporaryDirectory() }
    const { sandbox, environment, text } = await settingsOf('curl', options)
    const certificate = sandbox.certificatePath ?? ''
    const asked = await run('sh', ['-c', text.replace('curl ', 'curl -s ')])
    expect(JSON.parse(asked)).toMatchObject({ name: 'alice' })
    expect(clientSettings('python', environment, '')).toContain(
      `os.environ['SSL_CERT_FILE'] = '${certificate}'`,
    )
    for (const client of ['huggingface.js', 'openid-client', 'mcp'] as const) {
      expect(clientSettings(client, environment, '')).toContain(
        `// NODE_EXTRA_CA_CERTS=${certificate}\n`,
      )
    }
  })

  test('huggingface.js asks the sandbox', async () => {
    const { text } = await settingsOf('huggingface.js')
    expect(await runModule(text)).toContain("name: 'alice'")
  })

  test('openid-client finds the endpoints and builds an authorization request', async () => {
    const { sandbox, environment, text } = await settingsOf('openid-client')
    const url = new URL(await runModule(text))
    expect(url.href.startsWith(`${sandbox.url}/oauth/authorize?`)).toBe(true)
    expect(url.searchParams.get('client_id')).toBe(environment['OAUTH_CLIENT_ID'])
    expect(url.searchParams.get('scope')).toBe(environment['OAUTH_SCOPES'])
  })

  test('openid-client takes the metadata of a back channel, whose issuer is another', async () => {
    const { sandbox, environment } = await settingsOf('openid-client')
    const { port } = new URL(sandbox.url)
    // The sandbox under another name than its issuer's, which discovery would refuse.
    const variables = { ...environment, HF_ENDPOINT: `http://127.0.0.1:${port}` }
    const text = clientSettings('openid-client', variables, '', sandbox.url)
    const url = new URL(await runModule(text))
    expect(url.href.startsWith(`${sandbox.url}/oauth/authorize?`)).toBe(true)
    expect(url.searchParams.get('client_id')).toBe(environment['OAUTH_CLIENT_ID'])
  })

  test('an MCP client registers and sends its user to the sandbox', async () => {
    const { sandbox, text } = await settingsOf('mcp')
    expect((await runModule(text)).startsWith(`Open ${sandbox.url}/oauth/authorize?`)).toBe(true)
  })

  test('Python has the address and a cache of its own before it imports the library', async ({
    skip,
  }) => {
    skip(!hasProgram('python3'), 'Python is not installed')
    const { sandbox, environment, text } = await settingsOf('python')
    const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-python-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    // What it reads, it reads at import, as the real one does.
    writeFileSync(
      join(folder, 'huggingface_hub.py'),
      `import os
endpoint = os.environ['HF_ENDPOINT'] + ' ' + os.environ['HF_HUB_CACHE']
class HfApi:
    def __init__(self, token): self.token = token
    def whoami(self): return endpoint + ' ' + self.token
`,
    )
    const printed = await run('python3', ['-c', text], { PYTHONPATH: folder, HF_TOKEN: token })
    expect(printed.trim()).toBe(`${sandbox.url} ${environment['HF_HUB_CACHE']} ${token}`)
    // Without the variable, the program asks for a token of the sandbox.
    const asked = await run('python3', ['-c', text], { PYTHONPATH: folder })
    expect(asked).toBe(printed)
  })

  test('a Gradio Space reads them as a file of variables', async () => {
    const { environment, text } = await settingsOf('gradio')
    expect(parseEnv(text)).toEqual({
      SYSTEM: 'spaces',
      SPACE_ID: 'alice/my-space',
      ...environment,
    })
  })
})
