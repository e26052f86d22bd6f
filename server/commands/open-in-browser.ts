import { spawn } from 'node:child_process'

/** Opens an address the way the system does; where that fails it is said, and nothing else happens. */
export function openInBrowser(url: string): void {
  const [command, ...args] = openerOf(process.platform, url)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.once('error', ({ message }) => {
    process.stderr.write(`No browser could be opened (${message}). Open ${url}\n`)
  })
  child.unref()
}

function openerOf(platform: NodeJS.Platform, url: string): [string, ...string[]] {
  switch (platform) {
    case 'darwin':
      return ['open', url]
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', url]
    default:
      return ['xdg-open', url]
  }
}
