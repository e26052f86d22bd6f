import type { Deps } from '../../../events/deps.ts'
import { organizationChoices } from '../../../oauth/authorization.ts'
import { localPicture } from '../../pages/local-picture.ts'
import type { ConsentApp, ConsentOrganization } from '../../pages/consent.ts'
import type { User } from '../../../state/entities/accounts.ts'
import type { SecurityRestriction } from '../../../contract/words/accounts.ts'
import type { App } from '../../../state/entities/oauth.ts'

const restrictionTexts: Record<SecurityRestriction, string> = {
  mfa: 'asks for two-factor authentication first',
  'token-policy': 'its token policy does not allow this',
  'token-revoked': 'its administrators revoked this access',
  sso: 'asks for single sign-on first',
  ip: 'is not reachable from this address',
}

/** An app as the consent pages show it. */
export function consentApp(deps: Deps, app: App): ConsentApp {
  const organization =
    app.organizationId === undefined ? undefined : deps.state.organizations.get(app.organizationId)
  return {
    name: app.name,
    logoUrl: localPicture(app.logoUri, app.name),
    origin:
      app.origin === 'metadata-document'
        ? new URL(app.id).host
        : organization === undefined
          ? 'An app of this sandbox'
          : `By ${organization.fullname}`,
  }
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
