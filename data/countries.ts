/** The countries that cities of the example are in, by the codes of ISO 3166-1 as GeoNames has them (XK for Kosovo), and their continents. */

/** With the colours of their cities. */
export const continents = [
  { name: 'Asia', color: '#c2410c' },
  { name: 'Africa', color: '#a16207' },
  { name: 'North America', color: '#1d4ed8' },
  { name: 'South America', color: '#15803d' },
  { name: 'Europe', color: '#7e22ce' },
  { name: 'Oceania', color: '#0e7490' },
] as const;

const names: Readonly<Record<(typeof continents)[number]['name'], readonly string[]>> = {
  Africa: [
    'AO Angola, BF Burkina Faso, BI Burundi, BJ Benin, BW Botswana, CD DR Congo, CF Central African Republic, ',
    'CG Republic of the Congo, CI Côte d’Ivoire, CM Cameroon, CV Cape Verde, DJ Djibouti, DZ Algeria, EG Egypt, ',
    'EH Western Sahara, ER Eritrea, ET Ethiopia, GA Gabon, GH Ghana, GM Gambia, GN Guinea, GQ Equatorial Guinea, ',
    'GW Guinea-Bissau, KE Kenya, LR Liberia, LS Lesotho, LY Libya, MA Morocco, MG Madagascar, ML Mali, ',
    'MR Mauritania, MU Mauritius, MW Malawi, MZ Mozambique, NA Namibia, NE Niger, NG Nigeria, RE Réunion, RW Rwanda, ',
    'SD Sudan, SL Sierra Leone, SN Senegal, SO Somalia, SS South Sudan, SZ Eswatini, TD Chad, TG Togo, TN Tunisia, ',
    'TZ Tanzania, UG Uganda, ZA South Africa, ZM Zambia, ZW Zimbabwe',
  ],
  Asia: [
    'AE United Arab Emirates, AF Afghanistan, AM Armenia, AZ Azerbaijan, BD Bangladesh, BH Bahrain, BT Bhutan, ',
    'CN China, CY Cyprus, GE Georgia, HK Hong Kong, ID Indonesia, IL Israel, IN India, IQ Iraq, IR Iran, JO Jordan, ',
    'JP Japan, KG Kyrgyzstan, KH Cambodia, KP North Korea, KR South Korea, KW Kuwait, KZ Kazakhstan, LA Laos, ',
    'LB Lebanon, LK Sri Lanka, MM Myanmar, MN Mongolia, MO Macao, MV Maldives, MY Malaysia, NP Nepal, OM Oman, ',
    'PH Philippines, PK Pakistan, PS Palestine, QA Qatar, SA Saudi Arabia, SG Singapore, SY Syria, TH Thailand, ',
    'TJ Tajikistan, TL Timor-Leste, TM Turkmenistan, TR Türkiye, TW Taiwan, UZ Uzbekistan, VN Vietnam, YE Yemen',
  ],
  Europe: [
    'AL Albania, AT Austria, BA Bosnia and Herzegovina, BE Belgium, BG Bulgaria, BY Belarus, CH Switzerland, ',
    'CZ Czechia, DE Germany, DK Denmark, EE Estonia, ES Spain, FI Finland, FR France, GB United Kingdom, GR Greece, ',
    'HR Croatia, HU Hungary, IE Ireland, IS Iceland, IT Italy, LT Lithuania, LV Latvia, MD Moldova, ME Montenegro, ',
    'MK North Macedonia, NL Netherlands, NO Norway, PL Poland, PT Portugal, RO Romania, RS Serbia, RU Russia, ',
    'SE Sweden, SI Slovenia, SK Slovakia, UA Ukraine, XK Kosovo',
  ],
  'North America': [
    'BB Barbados, BS Bahamas, CA Canada, CR Costa Rica, CU Cuba, CW Curaçao, DO Dominican Republic, GT Guatemala, ',
    'HN Honduras, HT Haiti, JM Jamaica, MQ Martinique, MX Mexico, NI Nicaragua, PA Panama, PR Puerto Rico, ',
    'SV El Salvador, US United States',
  ],
  'South America': [
    'AR Argentina, BO Bolivia, BR Brazil, CL Chile, CO Colombia, EC Ecuador, GY Guyana, PE Peru, PY Paraguay, ',
    'SR Suriname, UY Uruguay, VE Venezuela',
  ],
  Oceania: ['AU Australia, NC New Caledonia, NZ New Zealand, PG Papua New Guinea'],
};

export interface Country {
  readonly name: string;
  readonly continent: string;
}

export const countries: ReadonlyMap<string, Country> = new Map(
  Object.entries(names).flatMap(([continent, lines]) =>
    lines
      .join('')
      .split(', ')
      .map((entry) => [entry.slice(0, 2), { name: entry.slice(3), continent }] as const),
  ),
);
