import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const library = fileURLToPath(
  new URL('../../../node_modules/@huggingface/hub/dist/browser/index.mjs', import.meta.url),
)

const page = `<!doctype html>
<html>
  <head>
    <meta charset="utf-8" />
    <title>Static Space</title>
    <script type="module">
      import { oauthHandleRedirectIfPresent, oauthLoginUrl } from '/library.js'

      const main = document.querySelector('main')
      const result = await oauthHandleRedirectIfPresent()
      main.innerHTML = result ? '<h1></h1>' : '<button>Sign in</button>'
      if (result) {
        main.firstChild.textContent = 'Hello ' + result.userInfo.preferred_username
      } else {
        main.firstChild.onclick = async () => {
          location.href = await oauthLoginUrl()
        }
      }
    </script>
  </head>
  <body>
    <main></main>
    <p>Scopes: <script>document.write(window.huggingface.variables.OAUTH_SCOPES)</script></p>
  </body>
</html>
`

/** Bundles the library as the build of a web page does. */
async function bundleLibrary(): Promise<ReadonlyMap<string, string>> {
  const results = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry: library, formats: ['es'], fileName: () => 'library.js' },
    },
  })
  const files = new Map<string, string>()
  for (const result of [results].flat()) {
    if (!('output' in result)) continue
    for (const file of result.output) {
      if (file.type === 'chunk') files.set(`/${file.fileName}`, file.code)
    }
  }
  return files
}

/** Serves the files of a static Space, which signs users in as the documentation of `@huggingface/hub` shows. */
export async function startStaticApp(): Promise<{ url: string; close(): Promise<void> }> {
  const files = await bundleLibrary()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const code = files.get(pathname)
    const type = code === undefined ? 'text/html; charset=utf-8' : 'text/javascript'
    response.writeHead(200, { 'content-type': type }).end(code ?? page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
