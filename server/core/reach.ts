import { isLoopbackHost } from './loopback.ts'

/**
 * Explains why another device, such as a phone, cannot open a URL of the sandbox.
 * @returns a message with a fix; `undefined` if no obstacle is known
 */
export function whyUnreachable(address: string): string | undefined {
  const { hostname } = new URL(address)
  if (!isLoopbackHost(hostname)) return undefined
  return `Another device cannot open this URL, because ${hostname} means the device itself. Start the sandbox with --lan to use a phone.`
}
