import type { Deps } from '../deps.ts'
import { organizationChoices } from '../oauth/authorization.ts'
import { isLocalPicture, localPicture, ownPicturePath } from './local-picture.ts'
import type { AppLink, ConsentApp, ConsentOrganization } from './consent-page.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { SecurityRestriction } from '../../contract/words/account-words.ts'
import type { App } from '../../store/entities/oauth-entities.ts'

const restrictionTexts: Record<SecurityRestriction, string> = {
  mfa: 'asks for two-factor authentication first',
  'token-policy': 'its token policy does not allow this',
  'token-revoked': 'its administrators revoked this access',
  sso: 'asks for single sign-on first',
  ip: 'is not reachable from this address',
}

/** Describes an app for the consent pages. */
export function consentApp(deps: Deps, app: App): ConsentApp {
  const organization =
    app.organizationId === undefined ? undefined : deps.state.organizations.get(app.organizationId)
  const { baseUrl } = deps.settings
  const logo = app.logoUri === undefined ? undefined : ownPicturePath(app.logoUri, baseUrl)
  return {
    name: app.name,
    logoUrl: localPicture(logo, app.name),
    links: appLinks(app, logo),
    origin:
      app.origin === 'metadata-document'
        ? new URL(app.id).host
        : organization === undefined
          ? 'An app of this sandbox'
          : `By ${organization.fullname}`,
  }
}

/** Lists pages that the app registered. A logo on another site is only linked: loading it would reveal the user to that site. */
function appLinks(app: App, logo: string | undefined): AppLink[] {
  const { clientUri, policyUri, tosUri } = app
  const foreignLogo = logo === undefined || isLocalPicture(logo) ? undefined : logo
  return [
    link(clientUri, (url) => url.host),
    link(policyUri, () => 'Privacy policy'),
    link(tosUri, () => 'Terms of service'),
    link(foreignLogo, ({ host }) => `Logo at ${host}`),
  ].flat()
}

/** Returns a link to a web page only, since settings may hold any string. */
function link(uri: string | undefined, textOf: (url: URL) => string): AppLink[] {
  if (uri === undefined || !/^https?:/i.test(uri) || !URL.canParse(uri)) return []
  const url = new URL(uri)
  return [{ text: textOf(url), url: url.href }]
}

export function consentOrganizations(
  deps: Deps,
  user: User,
  selected: ReadonlySet<string>,
): ConsentOrganization[] {
  return organizationChoices(deps, user, selected).map(
    ({ organization, restrictions, selected: ticked }) => ({
      id: organization.id,
      name: organization.name,
      fullname: organization.fullname,
      avatarUrl: localPicture(organization.avatarUrl, organization.name),
      selected: ticked,
      ...(restrictions[0] === undefined ? {} : { barred: restrictionTexts[restrictions[0]] }),
    }),
  )
}
