import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

/** The site of an app developer, on this machine. */
export interface AppSite {
  url(host?: 'localhost' | '127.0.0.1'): string
  close(): Promise<void>
}

/** Serves test/e2e/app on a free port. */
export async function startAppSite(): Promise<AppSite> {
  const site = await createServer({
    configFile: false,
    root: fileURLToPath(new URL('app', import.meta.url)),
    // Of this process's own: two workers would write one cache at once.
    cacheDir: fileURLToPath(
      new URL(`../../node_modules/.vite/app-site-${process.pid}`, import.meta.url),
    ),
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0 },
    optimizeDeps: { include: ['@huggingface/hub'] },
  })
  await site.listen()
  const address = site.httpServer?.address()
  if (typeof address !== 'object' || address === null) throw new Error('the site does not listen')
  return {
    url: (host = 'localhost') => `http://${host}:${address.port}`,
    close: () => site.close(),
  }
}
