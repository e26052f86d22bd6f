import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasProgram, run } from '../helpers/programs.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

async function start() {
  const data = temporaryDirectory()
  const sandbox = await startTestSandbox({ https: true, data })
  const { port } = new URL(sandbox.url)
  return {
    url: sandbox.url,
    ca: join(data, 'certificate.pem'),
    addresses: [sandbox.url, `https://127.0.0.1:${port}`].map(
      (base) => `${base}/.well-known/openid-configuration`,
    ),
  }
}

const nodeScript =
  'fetch(process.argv[1]).then((r) => r.json()).then(({ issuer }) => console.log(issuer), (e) => { console.error(e.cause?.code); process.exit(1) })'

const pythonScript = `
import json, ssl, sys, urllib.request
context = ssl.create_default_context(cafile=sys.argv[2] if len(sys.argv) > 2 else None)
context.verify_flags |= ssl.VERIFY_X509_STRICT
print(json.load(urllib.request.urlopen(sys.argv[1], context=context))["issuer"])
`

// Each client goes by its own rules for a certificate, and must refuse this one where it was not told to trust it.
describe('the certificate of --https is accepted by', () => {
  test('Node, by NODE_EXTRA_CA_CERTS', async () => {
    const { url, ca, addresses } = await start()
    for (const address of addresses) {
      const printed = await run(process.execPath, ['-e', nodeScript, address], {
        NODE_EXTRA_CA_CERTS: ca,
      })
      expect(printed.trim()).toBe(url)
    }
    await expect(run(process.execPath, ['-e', nodeScript, url])).rejects.toThrow(
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    )
  })

  test('curl, by --cacert', async ({ skip }) => {
    skip(!hasProgram('curl'), 'curl is not installed')
    const { url, ca, addresses } = await start()
    for (const address of addresses) {
      const printed = await run('curl', ['-sS', '--cacert', ca, address])
      expect(JSON.parse(printed)).toMatchObject({ issuer: url })
    }
    await expect(run('curl', ['-sS', url])).rejects.toThrow(/certificate/)
  })

  test('Python, under its strictest rules (RFC 5280)', async ({ skip }) => {
    skip(!hasProgram('python3'), 'Python is not installed')
    const { url, ca, addresses } = await start()
    for (const address of addresses) {
      const printed = await run('python3', ['-c', pythonScript, address, ca])
      expect(printed.trim()).toBe(url)
    }
    await expect(run('python3', ['-c', pythonScript, url])).rejects.toThrow(
      'CERTIFICATE_VERIFY_FAILED',
    )
  })
})
