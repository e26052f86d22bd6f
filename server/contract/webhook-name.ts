interface NamedWebhook {
  name?: string | undefined
  /** URL, or a short description of the job. */
  target: string
}

/** Returns the name of a webhook; without one the host that it calls, or the description of its job. */
export function nameOfWebhook({ name, target }: NamedWebhook): string {
  if (name !== undefined && name.trim() !== '') return name
  return urlOf(target)?.host ?? target
}

/**
 * Returns the names of all webhooks by id. Webhooks without a name that call the same host have its path, too: a list
 * that shows both must tell them apart.
 */
export function namesOfWebhooks(
  webhooks: readonly (NamedWebhook & { id: string })[],
): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  for (const webhook of webhooks) {
    const name = nameOfWebhook(webhook)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return new Map(
    webhooks.map((webhook) => {
      const name = nameOfWebhook(webhook)
      const url = urlOf(webhook.target)
      const isShared = url?.host === name && (counts.get(name) ?? 0) > 1
      return [webhook.id, isShared ? `${name}${url.pathname}` : name]
    }),
  )
}

/** Splits a URL by hand: this room has no DOM. The part before `@` may be a password. */
function urlOf(target: string): { host: string; pathname: string } | undefined {
  const [, host, pathname = ''] = /^https?:\/\/(?:[^/?#]*@)?([^/?#@]+)([^?#]*)/i.exec(target) ?? []
  return host === undefined ? undefined : { host: host.toLowerCase(), pathname }
}
