import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

/** The site of an app developer, on this machine. */
export interface AppSite {
  url(host?: 'localhost' | '127.0.0.1'): string
  close(): Promise<void>
}

const types: Record<string, string> = { html: 'text/html', js: 'text/javascript' }
const page = (name: string) => fileURLToPath(new URL(`app/${name}`, import.meta.url))

/** Builds test/e2e/app, as its developer would, and serves it on a free port. */
export async function startAppSite(): Promise<AppSite> {
  const files = await buildSite()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname.slice(1)
    // Its pages are told apart by script: any other address is the first page, the redirect URI among them.
    const name = files.has(path) ? path : 'index.html'
    response.setHeader('Content-Type', types[name.split('.').at(-1) ?? ''] ?? 'text/plain')
    response.end(files.get(name))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (host = 'localhost') => `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function buildSite(): Promise<Map<string, string | Uint8Array>> {
  const built = (await build({
    configFile: false,
    root: fileURLToPath(new URL('app', import.meta.url)),
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: [page('index.html'), page('device.html')] },
    },
  })) as Rolldown.RolldownOutput
  return new Map(
    built.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  )
}
