import { isLoopbackHost } from './loopback.ts'

/**
 * Explains why another device, such as a phone, cannot open a URL of the sandbox.
 * @returns a message with a fix; `undefined` if no obstacle is known
 */
export function whyUnreachable(address: string): string | undefined {
  const { hostname, port } = new URL(address)
  if (!isLoopbackHost(hostname)) return undefined
  const suffix = port === '' ? '' : `:${port}`
  return `Another device cannot open this URL, because ${hostname} means the device itself. Start the sandbox with --host 0.0.0.0 --base-url http://THIS-MACHINE${suffix} to use a phone.`
}
