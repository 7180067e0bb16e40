/** The files in `cases`: what people expect of them, what became of them at commit a3dc2916, and the lines of their summary. A line ends with … where it is cut. */

import type { ConvertOptions } from '../../src/web/convert/conversion.ts';

export interface Case {
  readonly file: string;
  /** In words. */
  readonly expected: string;
  readonly before: string;
  /** The lines of `summaryOf`. */
  readonly lines: readonly string[];
  /** Choices of the person. */
  readonly options?: ConvertOptions;
}

export const cases: readonly Case[] = [
  {
    file: 'csv-800-blank.csv',
    expected: 'Blank rows are counted; the note about the row with text is seen',
    before: '1,000 notes about blank rows',
    lines: [
      'map',
      'A: spot 16.365,48.211',
      'note blank: 1200 blank rows are skipped.',
      'note no-place at row 1203: "lat" is "abc" and "lng" is "16.3712": not two numbers.',
    ],
  },
  {
    file: 'csv-cp1251.csv',
    expected: 'With the encoding chosen, the names are Cyrillic and the columns are known by them',
    before: 'wrong letters without a note',
    lines: ['map', 'Кремль: spot 37.618,55.752', 'Парк: spot 37.601,55.73'],
    options: { encoding: 'windows-1251' },
  },
  {
    file: 'csv-delim5.csv',
    expected: 'Semicolons and decimal commas: two places',
    before: 'refused: one column only',
    lines: ['map', 'row 2: spot 16.365,48.211', 'row 3: spot 16.371,48.199'],
  },
  {
    file: 'csv-dms-space.csv',
    expected: 'Degrees, minutes and seconds with N, E, W',
    before: 'no object, an empty project',
    lines: ['map', 'Church: spot 16.373,48.208', 'Mill: spot -16.371,48.198'],
  },
  {
    file: 'csv-dms.csv',
    expected: 'Degrees, minutes and seconds with signs',
    before: 'no object, an empty project',
    lines: ['map', 'Church: spot 16.373,48.208', 'Mill: spot 16.371,48.198'],
  },
  {
    file: 'csv-geojson-column.csv',
    expected: 'The column of GeoJSON has the shapes',
    before: 'refused: no columns',
    lines: ['map', 'Old town: area 16.36,48.2 16.38,48.2 16.38,48.22', 'Gate: spot 16.37,48.21'],
  },
  {
    file: 'csv-lat-with-deg.csv',
    expected: 'Degrees with and without a direction',
    before: 'one of two rows',
    lines: ['map', 'A: spot 16.365,48.211', 'B: spot 16.371,48.199'],
  },
  {
    file: 'csv-loc-dot.csv',
    expected: '`location.lng` is the longitude, though it comes first',
    before: 'swapped without a word',
    lines: ['map', 'A: spot 16.365,48.211', 'B: spot 16.371,48.199'],
  },
  {
    file: 'csv-lonfirst-it.csv',
    expected: '`longitudine` is the longitude, though it comes first',
    before: 'swapped without a word',
    lines: ['map', 'Bar: spot 12.496,41.903', 'Porto: spot 9.19,45.464'],
  },
  {
    file: 'csv-lonlat-names.csv',
    expected: '`POINT_X` is the longitude, though it comes first',
    before: 'swapped without a word',
    lines: ['map', 'A: spot 16.365,48.211', 'B: spot 16.371,48.199'],
  },
  {
    file: 'csv-mixed-decimals.csv',
    expected: 'Three places, with commas and points',
    before: 'one row left out',
    lines: ['map', 'A: spot 16.365,48.211', 'B: spot 16.371,48.199', 'C: spot 16.38,48.19'],
  },
  {
    file: 'csv-mymaps-wkt.csv',
    expected: 'The column of well-known text has the shapes',
    before: 'refused: no columns',
    lines: ['map', 'Old town: area 16.36,48.2 16.38,48.2 16.38,48.22', 'Harbour café: spot 16.365,48.211'],
  },
  {
    file: 'csv-one-column-latlng.csv',
    expected: 'Two places from one column',
    before: 'refused: no columns',
    lines: ['map', 'Harbour café: spot 16.365,48.211', 'Mill bakery: spot 16.371,48.199'],
  },
  {
    file: 'csv-quote-open.csv',
    expected: 'Three places: quotation marks in cells are text',
    before: 'one place, the others lost',
    lines: [
      'map',
      'A 5" pipe: spot 16.365,48.211',
      'B tail: spot 16.371,48.199',
      'C: spot 16.38,48.19',
      'note quotes at row 3: A quotation mark is not at both ends of a cell: it is read as text.',
    ],
  },
  {
    file: 'csv-sep-line.csv',
    expected: '`sep=;` names the delimiter',
    before: 'refused: no columns',
    lines: ['map', 'Café: spot 16.36,48.21', 'Öhler: spot 16.37,48.19'],
  },
  {
    file: 'csv-space-delim-coords.csv',
    expected: 'Two places from one column with altitude and accuracy',
    before: 'refused: no columns',
    lines: ['map', 'A: spot 16.365,48.211', 'B: spot 16.371,48.199'],
  },
  {
    file: 'csv-swapped-us.csv',
    expected: 'A map, and the doubt about the order of the axes',
    before: 'a plain artboard, no doubt',
    lines: [
      'map',
      'warning swapped-axes',
      'note latitude at row 2: Latitude -122.4, longitude 37.79: latitudes are from -90 to 90, longitudes from -360 to 360.',
      'note latitude at row 3: Latitude -122.42, longitude 37.75: latitudes are from -90 to 90, longitudes from -360 to 360.',
    ],
  },
  {
    file: 'csv-title-rows.csv',
    expected: 'The table below two titles',
    before: 'refused, without a hint',
    lines: [
      'map',
      'A: spot 16.365,48.211',
      'B: spot 16.371,48.199',
      'note title at row 1: Rows 1 to 2 are above the table, which begins in row 4: skipped.',
      'note blank: One blank row is skipped.',
    ],
  },
  {
    file: 'csv-wkt-column.csv',
    expected: 'The column of well-known text has the shapes',
    before: 'refused: no columns',
    lines: ['map', 'Old town: area 16.36,48.2 16.38,48.2 16.38,48.22 16.36,48.22', 'Gate: spot 16.37,48.21'],
  },
  {
    file: 'csv-year-headers.csv',
    expected: 'A header with years is a header',
    before: 'taken for data: Column 1, row 2',
    lines: [
      'map',
      'Town 1: spot 16.31,48.11',
      'Town 2: spot 16.32,48.12',
      'Town 3: spot 16.33,48.13',
      'Town 4: spot 16.34,48.14',
      'Town 5: spot 16.35,48.15',
      'Town 6: spot 16.36,48.16',
      'Town 7: spot 16.37,48.17',
      'Town 8: spot 16.38,48.18',
      'Town 9: spot 16.39,48.19',
      'Town 10: spot 16.4,48.2',
      'Town 11: spot 16.41,48.21',
      'Town 12: spot 16.42,48.22',
    ],
  },
  {
    file: 'gj-crs-none-utm.geojson',
    expected: 'Refused as metres, with the remedy',
    before: 'a plain artboard, no note',
    lines: [
      'refused: The coordinates are in another system: they are no degrees, for example 601000, 5340000. Export the file in degrees (WGS 84, EPSG:4326) and import that.',
    ],
  },
  {
    file: 'gj-esrijson.json',
    expected: 'One place of EsriJSON',
    before: 'refused by the server: 400',
    lines: ['map', 'A: spot 16.36,48.2'],
  },
  {
    file: 'gj-hole.geojson',
    expected: 'The ring has a hole, and what lies in it is seen',
    before: 'filled',
    lines: [
      'map',
      'Ring road zone: area 16.36,48.2 16.38,48.2 16.38,48.22 16.36,48.22 without 16.365,48.205 16.375,48.205 16.375,48.215 16.365,48.215',
      'Inner zone: area 16.365,48.205 16.375,48.205 16.375,48.215 16.365,48.215',
    ],
  },
  {
    file: 'gj-line-width2.geojson',
    expected: 'A line of 8 pixels',
    before: '2 pixels',
    lines: ['map', 'L: line 16.36,48.2 16.38,48.2', 'W8: line 16.36,48.21 16.38,48.21; stroke_color #ff0000; stroke_width 8'],
  },
  {
    file: 'gj-names-GEN.geojson',
    expected: 'Named by GEN',
    before: 'element 1',
    lines: ['map', 'Wien: area 16.36,48.2 16.38,48.2 16.38,48.22 16.36,48.22'],
  },
  {
    file: 'gj-nd.geojsonl',
    expected: 'Three places, line by line',
    before: 'perhaps it was cut off',
    lines: ['map', 'A0: spot 16.36,48.2', 'A1: spot 16.37,48.2', 'A2: spot 16.38,48.2'],
  },
  {
    file: 'gj-overpass.json',
    expected: 'One place of OpenStreetMap',
    before: 'refused by the server: 400',
    lines: ['map', 'Fountain: spot 16.36,48.2'],
  },
  {
    file: 'gj-photo-desc.geojson',
    expected: 'A popup with the description',
    before: 'no popup',
    lines: ['map', 'A: spot 16.36,48.2; popup <b>Opened</b> 1820'],
  },
  {
    file: 'gj-sortedkeys-big.geojson',
    expected: 'Imported, though its type is at the end',
    before: 'refused by the server: 400',
    lines: [
      'map',
      'Big: area 16.3,48.2 16.3,48.2 16.3,48.2 16.3,48.2 16.3,48.2 16.301,48.2 16.301,48.2 16.301,48.2 16.301,48.2 16.301,48.2 16.301,48.201 16.301,48.201 16.301,48.20…',
      'note crosses-itself at element 1, Big: Its outline crosses itself. Check the shape on the map.',
    ],
  },
  {
    file: 'gj-style-strings.geojson',
    expected: 'Widths and opacities in quotation marks count',
    before: 'ignored',
    lines: [
      'map',
      'P: area 16.36,48.2 16.38,48.2 16.38,48.22 16.36,48.22; color #00ff00; opacity 0.2; stroke_color #ff0000; stroke_width 4',
    ],
  },
  {
    file: 'gj-swapped-us.geojson',
    expected: 'A map, and the doubt about the order of the axes',
    before: 'a plain artboard, no doubt',
    lines: [
      'map',
      'warning swapped-axes',
      'note latitude at element 1, A: Latitude -122.41, longitude 37.79: latitudes are from -90 to 90, longitudes from -360 to 360.',
      'note latitude at element 2, B: Latitude -122.42, longitude 37.75: latitudes are from -90 to 90, longitudes from -360 to 360.',
    ],
  },
  {
    file: 'gj-topo.json',
    expected: 'Zone A of the TopoJSON',
    before: 'refused',
    lines: ['map', 'A: area 16.36,48.2 16.38,48.2 16.38,48.22 16.36,48.22'],
  },
  {
    file: 'gj-umap-options.geojson',
    expected: 'The colours of uMap',
    before: 'the default colour',
    lines: [
      'map',
      'B: area 16.36,48.2 16.38,48.2 16.38,48.22 16.36,48.22; color #00ff00; stroke_color #006400; popup A <b>bold</b> text',
      'A: spot 16.36,48.2; color #dc143c',
    ],
  },
  {
    file: 'gpx-basecamp-route.gpx',
    expected: 'The route through its points',
    before: 'a straight line',
    lines: ['map', 'Tour: line 16.36,48.2 16.363,48.202 16.364,48.205 16.368,48.208 16.37,48.21; stroke_color #ff00ff'],
  },
  {
    file: 'gpx-comma-decimals.gpx',
    expected: 'The place, with decimal commas',
    before: 'another place, without a note',
    lines: ['map', 'A: spot 16.365,48.211'],
  },
  {
    file: 'kml-blank-before-decl.kml',
    expected: 'Blank lines before the declaration are skipped',
    before: 'refused',
    lines: ['map', 'Gate: spot 16.36,48.2'],
  },
  {
    file: 'kml-cp1251.kml',
    expected: 'The encoding of the declaration: Cyrillic',
    before: 'wrong letters',
    lines: ['map', 'Кремль: spot 37.61,55.75'],
  },
  {
    file: 'kml-desc-raw-html.kml',
    expected: 'The cells of the table are apart',
    before: 'Opened1820',
    lines: ['map', 'Bar: spot 16.36,48.2; popup <table><tr><td>Opened</td><td>1820</td></tr></table>'],
  },
  {
    file: 'kml-multigeom-holes.kml',
    expected: 'Two areas, the first with its hole, and a spot',
    before: 'filled',
    lines: [
      'map',
      'Park with lake: area 16.36,48.2 16.4,48.2 16.4,48.24 16.36,48.24 without 16.37,48.21 16.39,48.21 16.39,48.23 16.37,48.23',
      'Park with lake: area 16.5,48.2 16.52,48.2 16.52,48.22',
      'Park with lake: spot 16.38,48.22',
    ],
  },
  {
    file: 'kml-mymaps.kml',
    expected: 'Photograph, bold text, link and folders stay',
    before: 'photograph, link and folders gone',
    lines: [
      'map',
      'Old town: area 16.36,48.2 16.38,48.2 16.38,48.22 16.36,48.22; category Areas; color #097138; opacity 0.3; stroke_color #097138; stroke_opacity 1; stroke_width 1.2',
      'Walk: line 16.36,48.2 16.37,48.21 16.38,48.205; category Areas; stroke_color #e65100; stroke_opacity 1; stroke_width 5',
      'Harbour café: spot 16.365,48.211; category Food; color #0288d1; popup <img src="https://example.com/a.jpg"><br><br>Good <b>cake</b><br><a href="https://example.com">site</a>',
    ],
  },
  {
    file: 'kml-networklink-only.kml',
    expected: 'Says that links to other files are not followed',
    before: 'no rows or elements',
    lines: [
      'map',
      'note unsupported at NetworkLink, My map: Links to other files (NetworkLink) are not followed: import what is saved from https://www.google.com/maps/d/kml?mid=ABC&forcekml=1 as well.',
    ],
  },
  {
    file: 'kml-nested-folders.kml',
    expected: 'The folders are a column and the categories',
    before: 'no folders',
    lines: [
      'map',
      'A: spot 16.36,48.2; category 2023 / North; color #1d6fd1',
      'A: spot 16.37,48.1; category 2023 / South; color #e8590c',
    ],
  },
  {
    file: 'kml-prefixed.kml',
    expected: 'One place, though all elements have a prefix',
    before: 'no rows or elements',
    lines: ['map', 'Gate: spot 16.365,48.211'],
  },
  {
    file: 'kml-unbound-xsi.kml',
    expected: 'One place, though a prefix is not declared',
    before: 'perhaps it was cut off',
    lines: ['map', 'Gate: spot 16.365,48.211'],
  },
  {
    file: 'kml2-commatuples.kml',
    expected: 'A line of three points',
    before: 'no coordinates, an empty project',
    lines: ['map', 'Fault: line 16.36,48.2 16.37,48.21 16.38,48.205'],
  },
  {
    file: 'kml2-decimalcomma.kml',
    expected: 'The place, with decimal commas',
    before: 'another place, without a note',
    lines: ['map', 'A: spot 16.365,48.211'],
  },
  {
    file: 'pt-under-poly.kml',
    expected: 'The café lies above the area',
    before: 'hidden below it',
    lines: [
      'map',
      'Old town: area 16.36,48.2 16.38,48.2 16.38,48.22 16.36,48.22; category Areas; color #097138; opacity 1; popup The quarter',
      'Harbour café: spot 16.365,48.211; category Food; color #1d6fd1; popup Good cake',
    ],
  },
  {
    file: 'svg-closed-no-z.svg',
    expected: 'Two rooms',
    before: 'hollow lines',
    lines: [
      'color 400 x 300',
      'Room 7: area 20,20 180,20 180,140 20,140; color #000000; opacity 0; stroke_color #000000; stroke_opacity 1',
      'Room 8: area 200,20 380,20 380,140 200,140; color #000000; opacity 0; stroke_color #000000; stroke_opacity 1',
    ],
  },
  {
    file: 'svg-css-transform.svg',
    expected: 'Rooms at 200,100 and 35,-15',
    before: 'at 0,0 and -60,10',
    lines: [
      'color 400 x 300',
      'Room: area 200,100 300,100 300,150 200,150; color #dce6f2; opacity 1; stroke_width 0',
      'Room2: area 85,-15 85,85 35,85 35,-15; color #f2dcdb; opacity 1; stroke_width 0',
    ],
  },
  {
    file: 'svg-cssvar.svg',
    expected: 'Both rooms, by variable and by its fallback',
    before: 'refused',
    lines: [
      'color 400 x 300',
      'A: area 20,20 180,20 180,140 20,140; color #dce6f2; opacity 1; stroke_width 0',
      'B: area 200,20 360,20 360,140 200,140; color #ffe699; opacity 1; stroke_width 0',
    ],
  },
  {
    file: 'svg-drawio-lightdark.svg',
    expected: 'The room in its light colour',
    before: 'refused',
    lines: [
      'color 401 x 301',
      'Room 101: area 21,21 181,21 181,141 21,141; color #dae8fc; opacity 1; stroke_color #6c8ebf; stroke_opacity 1; label always',
    ],
  },
  {
    file: 'svg-figma-groups.svg',
    expected: 'Rooms have the names of their groups',
    before: 'element N',
    lines: [
      'color 400 x 300',
      'element 1: area 0,0 400,0 400,300 0,300; color #ffffff; opacity 1; stroke_width 0',
      'Room 101: area 20,20 180,20 180,140 20,140; color #dce6f2; opacity 1; stroke_width 0',
      'Room 101: area 20,20 180,20 180,140 20,140; color #333333; opacity 0; stroke_color #333333; stroke_opacity 1; stroke_width 2',
      'Room 102: area 200,20 380,20 380,140 200,140; color #f2dcdb; opacity 1; stroke_width 0',
      '101: area 210,30 230,30 230,50 210,50; color #000000; opacity 1; stroke_width 0',
    ],
  },
  {
    file: 'svg-figma-imagefill.svg',
    expected: 'The photograph stays as the background',
    before: 'a grey rectangle',
    lines: [
      'image 400 x 300, with background',
      'Desk 1: area 50,50 110,50 110,90 50,90; color #ff0000; opacity 1; stroke_width 0',
      'note pattern at element 1, Photo plan: A pattern or a picture fills it: it stays in the background.',
    ],
  },
  {
    file: 'svg-group-title.svg',
    expected: 'Named by the title of the group',
    before: 'element 1',
    lines: ['color 400 x 300', 'Room 101: area 20,20 180,20 180,140 20,140; color #dce6f2; opacity 1; stroke_width 0'],
  },
  {
    file: 'svg-hole-under.svg',
    expected: 'The cloister has a hole, the courtyard is seen',
    before: 'covered',
    lines: [
      'color 400 x 300',
      'Courtyard: area 70,70 170,70 170,170 70,170; color #c6e0b4; opacity 1; stroke_width 0',
      'Cloister: area 20,20 220,20 220,220 20,220 without 70,70 170,70 170,170 70,170; color #dce6f2; opacity 1; stroke_width 0',
    ],
  },
  {
    file: 'svg-hotspots-transparent.svg',
    expected: 'Three invisible areas that react',
    before: 'one',
    lines: [
      'image 400 x 300, with background',
      'Kitchen: area 50,50 110,50 110,90 50,90; color #000000; opacity 0; stroke_width 0',
      'Hall: area 150,50 210,50 210,90 150,90; color #000000; opacity 0; stroke_width 0',
      'Bath: area 250,50 310,50 310,90 250,90; color #ffffff; opacity 0; stroke_width 0',
    ],
  },
  {
    file: 'svg-illustrator-dataname.svg',
    expected: 'Room 101, Büro_West, 103',
    before: 'Room_101, Büro_x5F_West, _x31_03',
    lines: [
      'color 400 x 300',
      'Room 101: area 20,20 180,20 180,140 20,140; color #dce6f2; opacity 1; stroke_color #333333; stroke_opacity 1',
      'Büro_West: area 200,20 380,20 380,140 200,140; color #f2dcdb; opacity 1; stroke_color #333333; stroke_opacity 1',
      '103: area 20,160 200,160 200,280 20,280; color #f2dcdb; opacity 1; stroke_color #333333; stroke_opacity 1',
    ],
  },
  {
    file: 'svg-import-font.svg',
    expected: 'The colours of the sheet, without its font',
    before: 'black',
    lines: [
      'color 400 x 300',
      'Room 101: area 20,20 180,20 180,140 20,140; color #dce6f2; opacity 1; stroke_color #333333; stroke_opacity 1',
      'Hall: area 200,20 380,20 380,140 200,140; color #ffe699; opacity 1; stroke_width 0',
      '101: spot 53,74; opacity 0; stroke_width 0; radius 10; label always',
      'note foreign-link at line 1: A style sheet loads other files: one rule is left out of the background.',
    ],
  },
  {
    file: 'svg-link-a.svg',
    expected: 'Opens the link, named by its title',
    before: 'no link',
    lines: [
      'color 400 x 300',
      'Room 101 details: area 20,20 180,20 180,140 20,140; color #dce6f2; opacity 1; stroke_width 0; click_action_url https://example.com/101',
    ],
  },
  {
    file: 'svg-no-xlink-ns.svg',
    expected: 'The square that is used',
    before: 'perhaps it was cut off',
    lines: ['color 400 x 300', 'd: area 10,10 30,10 30,30 10,30; color #ff0000; opacity 1; stroke_width 0'],
  },
  {
    file: 'svg-nosize.svg',
    expected: 'The artboard encloses the room',
    before: '300 x 150, the room outside',
    lines: ['color 600 x 600', 'Room: area 100,200 600,200 600,600 100,600; color #dce6f2; opacity 1; stroke_width 0'],
  },
  { file: 'svg-only-image-text.svg', expected: 'A background', before: 'refused', lines: ['image 400 x 300, with background'] },
  {
    file: 'svg-text-label.svg',
    expected: 'The labels are seen and name the rooms',
    before: 'hidden below the rooms',
    lines: [
      'color 400 x 300',
      '101: area 20,20 180,20 180,140 20,140; color #dce6f2; opacity 1; stroke_width 0; label always',
      '102: area 200,20 360,20 360,140 200,140; color #f2dcdb; opacity 1; stroke_width 0; label always',
    ],
  },
  {
    file: 'svg-use-size.svg',
    expected: 'Seats of 128 and 32 pixels',
    before: 'both of 512 pixels',
    lines: [
      'color 512 x 512',
      'Seat 1: area 0,0 128,0 128,128 0,128; color #0000ff; opacity 1; stroke_width 0',
      'Seat 2: area 200,200 232,200 232,232 200,232; color #0000ff; opacity 1; stroke_width 0',
    ],
  },
  {
    file: 'two-styles.svg',
    expected: 'The later sheet wins',
    before: 'the former one',
    lines: ['color 100 x 100', 'R: area 0,0 50,0 50,50 0,50; color #00ff00; opacity 1; stroke_width 0'],
  },
];
