/** The shops of the shopping centre, all made up: names, numbers and addresses belong to this example only. */

export const categories = {
  fashion: { name: 'Fashion', color: '#be185d', icon: 'maki:clothing-store' },
  food: { name: 'Food and drink', color: '#c2410c', icon: 'maki:restaurant' },
  groceries: { name: 'Groceries', color: '#15803d', icon: 'maki:grocery' },
  health: { name: 'Health and beauty', color: '#0f766e', icon: 'maki:pharmacy' },
  home: { name: 'Home and gifts', color: '#854d0e', icon: 'maki:furniture' },
  media: { name: 'Books and technology', color: '#4338ca', icon: 'maki:mobile-phone' },
  leisure: { name: 'Sport and leisure', color: '#0369a1', icon: 'maki:playground' },
  services: { name: 'Services', color: '#475569', icon: 'maki:bank' },
} as const;

export type Category = keyof typeof categories;

export interface Shop {
  readonly name: string;
  readonly category: Category;
  /** Colour of the logo. */
  readonly color: string;
  /** Path of the logo, 48 × 48 units. */
  readonly mark: string;
  readonly text: string;
  readonly hours: keyof typeof hours;
  readonly more?: Readonly<Record<string, string | boolean>>;
}

export const hours = {
  usual: 'Mon–Fri 9–19, Sat 9–18',
  long: 'Mon–Sat 7:30–20',
  food: 'Daily 10–22',
  late: 'Daily 10–24',
  bank: 'Mon–Fri 9–16',
  sport: 'Daily 6–23',
} as const;

/** From the west, first on the north side. */
export const groundShops: readonly Shop[] = [
  {
    ...{ name: 'Fennel & Fig', category: 'groceries', color: '#15803d', hours: 'long' },
    mark: 'M24 42C12 36 9 22 14 9c3 3 5 5 6 9 1-5 2-9 4-12 2 3 3 7 4 12 1-4 3-6 6-9 5 13 2 27-10 33z',
    text: 'Fruit and vegetables from the region, cheese over the counter, and bread of the bakery next door.',
    more: { delivery: true },
  },
  {
    ...{ name: 'Crumb', category: 'groceries', color: '#b45309', hours: 'long' },
    mark: 'M10 24c-4-7 3-13 8-11 3-5 11-5 14 0 6-1 10 6 6 11v12q0 2-2 2H12q-2 0-2-2zM16 24v8h3v-8zm7 0v8h3v-8zm7 0v8h3v-8z',
    text: 'The bakery: sourdough since six in the morning. The last loaves of the day cost half from seven in the evening.',
    more: { diet: 'Vegetarian' },
  },
  {
    ...{ name: 'Linden', category: 'health', color: '#0f766e', hours: 'usual' },
    mark: 'M19 9h10v10h10v10H29v10H19V29H9V19h10z',
    text: 'The pharmacy: prescriptions, advice on travel, and a vaccination day on the first Saturday of the month.',
  },
  {
    ...{ name: 'Spectra', category: 'health', color: '#0891b2', hours: 'usual' },
    mark: 'M14 17a9 9 0 0 1 8.5 6h3a9 9 0 1 1 0 5h-3A9 9 0 1 1 14 17zm0 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm20 0a5 5 0 1 0 0 10 5 5 0 0 0 0-10z',
    text: 'The optician: glasses and lenses. Eye tests take twenty minutes and need no appointment.',
  },
  {
    ...{ name: 'Petal', category: 'home', color: '#be185d', hours: 'long' },
    mark: 'M24 6a6 6 0 0 1 6 6 6 6 0 0 1 5 10 6 6 0 0 1-9 4v16h-4V26a6 6 0 0 1-9-4 6 6 0 0 1 5-10 6 6 0 0 1 6-6zm0 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
    text: 'The florist: bouquets of the season, plants in pots, and someone who knows why yours lost its leaves.',
    more: { delivery: true },
  },
  {
    ...{ name: 'Inkwell', category: 'home', color: '#7c3aed', hours: 'usual' },
    mark: 'M7 23L41 8 34 40 22 31 35 16 18 28zM19 31l6 4-6 6z',
    text: 'Stationery: notebooks, pens and cards. Your logo on a stamp in three days.',
  },
  {
    ...{ name: 'Volt & Co', category: 'media', color: '#4338ca', hours: 'usual' },
    mark: 'M27 5L11 27h11l-3 16 18-23H25z',
    text: 'Computers, cameras and sound, with a repair counter that tells you honestly if it is worth it.',
    more: { delivery: true },
  },
  {
    ...{ name: 'Ridge & River', category: 'leisure', color: '#0369a1', hours: 'usual' },
    mark: 'M5 38L19 13l6 10 4-6 14 21zM19 20l-5 9 4-2 3 3 2-3z',
    text: 'Boots, ropes and rain jackets. Skis are waxed while you have coffee.',
  },
  {
    ...{ name: 'Oak & Linen', category: 'home', color: '#92400e', hours: 'usual' },
    mark: 'M12 12q0-3 3-3h18q3 0 3 3v9q5 0 5 5v8h-5v4h-4v-4H16v4h-4v-4H7v-8q0-5 5-5zm4 1v9q2 1 2 4h12q0-3 2-4v-9z',
    text: 'Furniture that comes assembled, and linen by the metre.',
    more: { delivery: true },
  },
  {
    ...{ name: 'Little Acorn', category: 'leisure', color: '#ca8a04', hours: 'usual' },
    mark: 'M22 6h4v5c9 1 14 6 14 12H8c0-6 5-11 14-12zM11 26h26c-1 9-7 13-13 17-6-4-12-8-13-17z',
    text: 'Wooden toys, board games and a train on the ceiling that runs every full hour.',
  },
  {
    ...{ name: 'Wander', category: 'services', color: '#0e7490', hours: 'usual' },
    mark: 'M24 6a18 18 0 1 1 0 36 18 18 0 0 1 0-36zm-3 4a14 14 0 0 0-10 11h7c0-4 1-8 3-11zm6 0c2 3 3 7 3 11h7A14 14 0 0 0 27 10zM11 26a14 14 0 0 0 10 12c-2-3-3-7-3-12zm26 0h-7c0 5-1 9-3 12a14 14 0 0 0 10-12z',
    text: 'The travel agency: journeys by train, bicycle and boat, planned by people who have been there.',
  },
  {
    ...{ name: 'Bluebank', category: 'services', color: '#1e40af', hours: 'bank' },
    mark: 'M24 7L42 17v4H6v-4zM10 24h5v11h-5zm11 0h6v11h-6zm12 0h5v11h-5zM6 38h36v4H6z',
    text: 'The bank: counters on weekdays, cash machines at any time.',
    more: { cards: false },
  },
  {
    ...{ name: 'Meridian', category: 'food', color: '#9a3412', hours: 'food' },
    mark: 'M9 18h26v3h3a7 7 0 0 1 0 14h-4q-3 5-8 5h-8q-9 0-9-10zm26 7v6h2a3 3 0 0 0 0-6zM15 6q5 4 1 9h-3q4-5 2-9zm9 0q5 4 1 9h-3q4-5 2-9z',
    text: 'The café: espresso, strudel and newspapers on sticks. The tables outside are the best place to watch people.',
    more: { diet: 'Vegetarian', cards: true },
  },
  {
    ...{ name: 'Snip', category: 'health', color: '#be123c', hours: 'usual' },
    mark: 'M14 27a7 7 0 1 1-3 13 7 7 0 0 1 3-13zm0 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zm20-4a7 7 0 1 1-3 13 7 7 0 0 1 3-13zm0 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM15 6l9 16 9-16 2 5-15 20-4-2 5-5-8-13z',
    text: 'The hairdresser: cuts without appointment until noon. Children choose a cape with a superhero on it.',
  },
  {
    ...{ name: 'Ringtone', category: 'media', color: '#6d28d9', hours: 'usual' },
    mark: 'M15 5h18q3 0 3 3v32q0 3-3 3H15q-3 0-3-3V8q0-3 3-3zm1 6v24h16V11zm8 26a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
    text: 'Phones, cases and new screens within the hour.',
  },
  {
    ...{ name: 'Studio Nord', category: 'fashion', color: '#18181b', hours: 'usual' },
    mark: 'M10 40V8h6l15 20V8h7v32h-6L17 20v20z',
    text: 'Clothes for offices and evenings, altered in the house.',
  },
];

export const upperShops: readonly Shop[] = [
  {
    ...{ name: 'Lumen Cinema', category: 'leisure', color: '#1e1b4b', hours: 'late' },
    mark: 'M8 18l30-9 2 6-30 9zM8 24h32v16q0 2-2 2H10q-2 0-2-2zm12 4v10l9-5z',
    text: 'Five screens, subtitles on Tuesdays, and a matinee for parents with babies.',
    more: { cards: true },
  },
  {
    ...{ name: 'Nonna Pia', category: 'food', color: '#b91c1c', hours: 'food' },
    mark: 'M24 43L6 14C17 6 31 6 42 14zM24 14a3 3 0 1 0 0 6 3 3 0 0 0 0-6zm-7 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6zm11 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
    text: 'Pizza from a wood oven, by the slice or as large as a wheel.',
    more: { diet: 'Vegetarian' },
  },
  {
    ...{ name: 'Umeko', category: 'food', color: '#c2410c', hours: 'food' },
    mark: 'M6 24h36q-1 11-10 15v3H16v-3Q7 35 6 24zM13 6h3v15h-3zm7 0h3v15h-3zm21 0l1 3-15 12h-4z',
    text: 'Noodle soups: broth that simmers for eighteen hours. Counter seats and a window into the kitchen.',
    more: { diet: 'Vegan' },
  },
  {
    ...{ name: 'Greens', category: 'food', color: '#4d7c0f', hours: 'food' },
    mark: 'M6 25h36a18 15 0 0 1-36 0zm5-3c0-9 6-13 13-13-1 4-2 8-1 13zm14 0c-1-7 3-13 12-14 0 6 0 10-3 14z',
    text: 'Salads and warm bowls, mixed as you like. Everything is vegan unless you ask for cheese.',
    more: { diet: 'Vegan' },
  },
  {
    ...{ name: 'Verde', category: 'food', color: '#a16207', hours: 'food' },
    mark: 'M4 36a20 20 0 0 1 40 0zm8-19a4 4 0 0 1 6-4 4 4 0 0 1 6-3 4 4 0 0 1 7 3 4 4 0 0 1 5 5A24 24 0 0 0 12 17z',
    text: 'Tacos: tortillas of blue corn, three salsas, and one that you sign for.',
    more: { diet: 'Vegetarian' },
  },
  {
    ...{ name: 'Patty', category: 'food', color: '#7f1d1d', hours: 'food' },
    mark: 'M8 21C8 11 16 7 24 7s16 4 16 14zM7 24h34v5l-5 3-5-3-5 3-5-3-5 3-9-4zM8 35h32v3q0 4-4 4H12q-4 0-4-4z',
    text: 'Burgers from a flat grill, potatoes cut by hand.',
  },
  {
    ...{ name: 'Gelato', category: 'food', color: '#db2777', hours: 'food' },
    mark: 'M24 4a10 10 0 0 1 10 9 6 6 0 0 1 0 11H14a6 6 0 0 1 0-11 10 10 0 0 1 10-9zM14 27h20L24 45z',
    text: 'Ice cream: two dozen kinds, always two that were not there last week.',
    more: { diet: 'Vegetarian', cards: false },
  },
  {
    ...{ name: 'Pulse Gym', category: 'leisure', color: '#047857', hours: 'sport' },
    mark: 'M4 21h4v-6h6v7h20v-7h6v6h4v6h-4v6h-6v-7H14v7H8v-6H4z',
    text: 'Weights, courses and a climbing wall. A day ticket needs no contract.',
    more: { cards: true },
  },
  {
    ...{ name: 'Thread & Needle', category: 'fashion', color: '#9d174d', hours: 'usual' },
    mark: 'M18 8q6 5 12 0l12 6-4 9-5-2v21H15V21l-5 2-4-9z',
    text: 'Basics of organic cotton in thirty colours.',
  },
  {
    ...{ name: 'Solemate', category: 'fashion', color: '#3f3f46', hours: 'usual' },
    mark: 'M6 15q6 3 11 0l8 9 14 4q4 2 4 6v2H6zM5 38h38v4H5z',
    text: 'Shoes in half sizes, and a machine that measures both feet.',
  },
  {
    ...{ name: 'Carat', category: 'fashion', color: '#a16207', hours: 'usual' },
    mark: 'M14 9h20l8 10-18 22L6 19zM15 20l9 13 9-13zm2-7l-4 4h7zm14 0l-3 4h7z',
    text: 'Rings, watches and repairs. Engraving while you wait.',
  },
  {
    ...{ name: 'Carry On', category: 'fashion', color: '#0f766e', hours: 'usual' },
    mark: 'M17 14V9q0-3 3-3h8q3 0 3 3v5h6q3 0 3 3v20q0 3-3 3H11q-3 0-3-3V17q0-3 3-3zm3 0h8v-4h-8zm-5 5v17h3V19zm15 0v17h3V19z',
    text: 'Suitcases, backpacks and umbrellas that survive the wind.',
  },
  {
    ...{ name: 'Kindred', category: 'health', color: '#a21caf', hours: 'usual' },
    mark: 'M19 6h10v8H19zm-2 11h14q6 4 6 12v10q0 3-3 3H14q-3 0-3-3V29q0-8 6-12zm7 7c-4 5-6 7-6 10a6 6 0 0 0 12 0c0-3-2-5-6-10z',
    text: 'Perfume by the millilitre, and make-up that you may try.',
  },
  {
    ...{ name: 'Margin Notes', category: 'media', color: '#312e81', hours: 'usual' },
    mark: 'M6 10q11-3 17 3v28q-6-5-17-3zm36 0q-11-3-17 3v28q6-5 17-3z',
    text: 'Books in nine languages, a corner for children, readings on Thursdays.',
    more: { delivery: true },
  },
];
