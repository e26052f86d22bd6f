import { formOf } from '../page.ts'

/** Page of a browser. */
export interface WebPage {
  readonly url: URL
  readonly status: number
  readonly text: string
}

/** Somebody in front of a browser without scripts, who is asked by the sandbox who they are and what they allow. */
export interface WebUser {
  /** Opens an address and follows it to where it leads, answering the sandbox's pages on the way. */
  open(url: URL | string): Promise<WebPage>
  /** Sends the first form of a page, or the one of the given action, and goes on likewise. */
  submit(
    page: WebPage,
    options?: { action?: string; fields?: Record<string, string> },
  ): Promise<WebPage>
  /** The cookies that a page of this host gets. */
  cookies(hostname: string): ReadonlyMap<string, string>
}

const redirects = new Set([301, 302, 303, 307, 308])

/** @param sandboxUrl whose pages the user answers by themselves */
export function createWebUser({
  sandboxUrl,
  username,
  decision,
}: {
  sandboxUrl: string
  username: string
  decision: 'approve' | 'deny'
}): WebUser {
  // By host, whatever the port: so it is in browsers, where apps on one machine see each other's cookies.
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (hostname: string) => {
    const jar = jars.get(hostname) ?? new Map<string, string>()
    jars.set(hostname, jar)
    return jar
  }

  function keepCookies(hostname: string, { headers }: Response): void {
    const jar = jarOf(hostname)
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const [name = ''] = pair.split('=', 1)
      if (isOver(attributes)) jar.delete(name)
      else jar.set(name, pair.slice(name.length + 1))
    }
  }

  async function send(url: URL, form?: URLSearchParams | FormData): Promise<Response> {
    const cookie = [...jarOf(url.hostname)].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        ...(cookie === '' ? {} : { cookie }),
        ...(form === undefined ? {} : { origin: url.origin }),
      },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    })
    keepCookies(url.hostname, response)
    return response
  }

  async function visit(first: URL, form?: URLSearchParams | FormData): Promise<WebPage> {
    let url = first
    let response = await send(url, form)
    for (let hops = 0; redirects.has(response.status); hops += 1) {
      if (hops === 20) throw new Error(`redirected for ever, at last to ${url}`)
      url = new URL(response.headers.get('location') ?? '', url)
      response = await send(url)
    }
    return answer({ url, status: response.status, text: await response.text() })
  }

  /** Pages of the sandbox that ask are answered; all others are what the user came for. */
  async function answer(page: WebPage): Promise<WebPage> {
    const title = /<title>(.*?) · /s.exec(page.text)?.[1]
    if (page.url.origin !== new URL(sandboxUrl).origin || title === undefined) return page
    if (title === 'Sign in') return submit(page, { fields: { user: username } })
    if (title.startsWith('Allow ')) return submit(page, { fields: { decision } })
    return page
  }

  const submit: WebUser['submit'] = (page, { action, fields = {} } = {}) => {
    const html = action === undefined ? page.text : formWithAction(page.text, action)
    const form = formOf(html)
    const sent = { ...form.fields, ...fields }
    const url = new URL(form.action, page.url)
    return visit(url, isMultipart(html) ? formData(sent) : new URLSearchParams(sent))
  }

  return { open: (url) => visit(new URL(url)), submit, cookies: (hostname) => jarOf(hostname) }
}

function isOver(attributes: readonly string[]): boolean {
  return attributes.some((attribute) => {
    const [name = '', value = ''] = attribute.split('=')
    if (name.toLowerCase() === 'max-age') return Number(value) <= 0
    return name.toLowerCase() === 'expires' && Date.parse(value) <= Date.now()
  })
}

function formWithAction(text: string, action: string): string {
  const form = [...text.matchAll(/<form\b.*?<\/form>/gs)].find(([tag]) =>
    tag.slice(0, tag.indexOf('>')).includes(`action="${action}"`),
  )
  if (form === undefined) throw new Error(`the page has no form for ${action}: ${text}`)
  return form[0]
}

/** Whether the first form says so: what Next makes of a server action is taken in no other way. */
function isMultipart(html: string): boolean {
  return /<form\b[^>]*>/.exec(html)?.[0].toLowerCase().includes('"multipart/form-data"') === true
}

function formData(fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}
