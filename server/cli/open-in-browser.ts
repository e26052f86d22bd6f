import { spawn } from 'node:child_process'

/** Opens a URL in the default browser; a failure is only reported. */
export function openInBrowser(url: string): void {
  const [command, ...args] = openerOf(process.platform, url)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.once('error', ({ message }) => {
    process.stderr.write(`Cannot open a browser (${message}). Open ${url}\n`)
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
