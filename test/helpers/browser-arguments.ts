/** Features that Playwright disables in Chromium, which reads only the last such list. */
const ofPlaywright = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'msForceBrowserSignIn',
]

/** Two hidden pages of each window, for suggestions below an address bar that nobody sees. */
const ofAddressBar = ['WebUIOmniboxAimPopup', 'WebUIOmniboxPopup']

export const disabledFeatures = [...ofPlaywright, ...ofAddressBar]

/** Without them Chromium spends a third of its time on what no test looks at. */
export const browserArguments = [`--disable-features=${disabledFeatures.join(',')}`]
