/** Where a session is, for people: the browser and the system that a request names. */

/** The first that fits: browsers name those that they imitate, too. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Characters of the header that are looked at. */
const lengthMax = 500;

/** @param userAgent the header `User-Agent` */
export function deviceName(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, lengthMax);
  const nameIn = (names: typeof browsers) => names.find(([form]) => form.test(text))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined) return system ?? 'another program';
  return system === undefined ? browser : `${browser} on ${system}`;
}
