// Time zones of phone numbers. The zones of North American area codes (three digits after +1) come from the numbering
// plan, the zones of other countries from zone.tab of the IANA database (2025b).

/** Area codes by time zone. An area code that straddles zones is listed under all of them together, easternmost first. */
const areaCodesByZones: Readonly<Record<string, string>> = {
  "America/New_York": `
    201 202 203 207 212 215 216 220 223 227 229 231 234 239 240 248 252 260 267 269 272 276 283 301 302 304 305 313 315
    317 321 324 326 329 330 332 336 339 347 351 352 363 380 386 401 404 407 410 412 413 419 434 436 440 443 445 463 465 470
    472 475 478 484 502 508 513 516 517 518 540 551 561 567 570 571 582 585 586 603 607 609 610 614 616 617 624
    631 640 645 646 656 667 678 679 680 681 686 689 703 704 706 716 717 718 724 727 728 732 734 740 743 754 757 762 765
    770 771 772 774 781 786 802 803 804 810 813 814 821 826 828 835 838 839 843 845 848 854 856 857 859 860 862 863 864
    865 878 904 908 910 912 914 917 919 929 934 937 941 943 947 948 954 959 973 978 980 984 989`,
  "America/New_York America/Chicago": "219 270 364 423 448 574 606 729 812 850 906 930 931",
  "America/Chicago": `
    205 210 214 217 218 224 225 228 235 251 254 256 262 274 281 309 312 314 316 318 319 320 325 327 331 334 337 346 353
    361 402 405 409 414 417 430 447 457 464 469 471 479 483 501 504 507 512 515 531 534 539 557 563 572 573 580 601 608
    612 615 618 621 629 630 636 641 651 659 660 662 682 708 712 713 715 726 730 731 737 763 769 773 779 806 815 816 817
    830 832 847 861 870 872 901 903 913 918 920 924 936 938 940 945 952 956 972 975 979 985`,
  "America/Chicago America/Denver": "308 432 605 620 701 785",
  "America/Denver": "303 307 385 406 435 505 575 719 720 748 801 915 970 983",
  "America/Phoenix": "480 520 602 623",
  "America/Denver America/Phoenix": "928",
  "America/Boise America/Los_Angeles": "208 458 541 775 986",
  "America/Los_Angeles": `
    206 209 213 253 279 310 323 341 350 357 360 369 408 415 424 425 442 503 509 510 530 559 562 564 619 626 628 650 657
    661 669 702 707 714 725 738 747 760 805 818 820 831 837 840 858 909 916 925 949 951 971`,
  "America/Anchorage America/Adak": "907",
  "Pacific/Honolulu": "808",
  "America/Puerto_Rico": "787 939",
  "America/St_Thomas": "340",
  "Pacific/Guam": "671",
  "Pacific/Saipan": "670",
  "Pacific/Pago_Pago": "684",
  // Canada
  "America/St_Johns America/Goose_Bay": "709 879",
  "America/Halifax": "782 902",
  "America/Moncton": "428 506",
  "America/Halifax America/Toronto": "367 418 581",
  "America/Toronto": `
    226 249 263 289 343 354 365 382 416 437 438 450 468 514 519 548 579 613 647 683 705 742 753 819 873 905 942`,
  "America/Toronto America/Winnipeg": "807",
  "America/Winnipeg": "204 431 584",
  "America/Winnipeg America/Regina America/Edmonton": "306 474 639",
  "America/Edmonton": "368 403 587 780 825",
  "America/Edmonton America/Vancouver": "236 250 257 672 778",
  "America/Vancouver": "604",
  "America/Toronto America/Winnipeg America/Edmonton America/Whitehorse": "867",
  // the Caribbean and Bermuda
  "America/Nassau": "242",
  "America/Barbados": "246",
  "America/Anguilla": "264",
  "America/Antigua": "268",
  "America/Tortola": "284",
  "America/Cayman": "345",
  "Atlantic/Bermuda": "441",
  "America/Grenada": "473",
  "America/Grand_Turk": "649",
  "America/Jamaica": "658 876",
  "America/Montserrat": "664",
  "America/Lower_Princes": "721",
  "America/St_Lucia": "758",
  "America/Dominica": "767",
  "America/St_Vincent": "784",
  "America/Santo_Domingo": "809 829 849",
  "America/Port_of_Spain": "868",
  "America/St_Kitts": "869",
};

const zonesByAreaCode: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(areaCodesByZones).flatMap(([zones, areaCodes]) =>
    areaCodes
      .trim()
      .split(/\s+/)
      .map((areaCode) => [areaCode, zones.split(" ")] as const),
  ),
);

/** The IANA zones of an E.164 number's area code; undefined for a number without one. */
export function zonesOfAreaCode(number: string): readonly string[] | undefined {
  return number.startsWith("+1") ? zonesByAreaCode.get(number.slice(2, 5)) : undefined;
}

/** Lists every area code in the table. */
export function listAreaCodes(): string[] {
  return Object.values(areaCodesByZones).flatMap((areaCodes) => areaCodes.trim().split(/\s+/));
}

/** Returns whether an area code lies in the time zone. */
export function isNorthAmericanZone(timezone: string): boolean {
  return Object.keys(areaCodesByZones).some((zones) => zones.split(" ").includes(timezone));
}

/**
 * Zones by the first digits of numbers: the calling code, with more digits where countries share a code but not a zone.
 * A country with several zones lists its westernmost and easternmost ones, between which all others lie.
 */
const zonesByBeginnings = `
  20 Africa/Cairo, 211 Africa/Juba, 212 Africa/Casablanca, 213 Africa/Algiers, 216 Africa/Tunis, 218 Africa/Tripoli,
  220 Africa/Banjul, 221 Africa/Dakar, 222 Africa/Nouakchott, 223 Africa/Bamako, 224 Africa/Conakry,
  225 Africa/Abidjan, 226 Africa/Ouagadougou, 227 Africa/Niamey, 228 Africa/Lome, 229 Africa/Porto-Novo,
  230 Indian/Mauritius, 231 Africa/Monrovia, 232 Africa/Freetown, 233 Africa/Accra, 234 Africa/Lagos,
  235 Africa/Ndjamena, 236 Africa/Bangui, 237 Africa/Douala, 238 Atlantic/Cape_Verde, 239 Africa/Sao_Tome,
  240 Africa/Malabo, 241 Africa/Libreville, 242 Africa/Brazzaville, 243 Africa/Kinshasa Africa/Lubumbashi,
  244 Africa/Luanda, 245 Africa/Bissau, 246 Indian/Chagos, 247 Atlantic/St_Helena, 248 Indian/Mahe,
  249 Africa/Khartoum, 250 Africa/Kigali, 251 Africa/Addis_Ababa, 252 Africa/Mogadishu, 253 Africa/Djibouti,
  254 Africa/Nairobi, 255 Africa/Dar_es_Salaam, 256 Africa/Kampala, 257 Africa/Bujumbura, 258 Africa/Maputo,
  260 Africa/Lusaka, 261 Indian/Antananarivo, 262 Indian/Reunion, 262269 Indian/Mayotte, 262639 Indian/Mayotte,
  2627093 Indian/Mayotte, 263 Africa/Harare, 264 Africa/Windhoek, 265 Africa/Blantyre, 266 Africa/Maseru,
  267 Africa/Gaborone, 268 Africa/Mbabane, 269 Indian/Comoro, 27 Africa/Johannesburg, 290 Atlantic/St_Helena,
  291 Africa/Asmara, 297 America/Aruba, 298 Atlantic/Faroe, 299 America/Thule America/Danmarkshavn,
  30 Europe/Athens, 31 Europe/Amsterdam, 32 Europe/Brussels, 33 Europe/Paris, 34 Atlantic/Canary Europe/Madrid,
  350 Europe/Gibraltar, 351 Atlantic/Azores Europe/Lisbon, 352 Europe/Luxembourg, 353 Europe/Dublin,
  354 Atlantic/Reykjavik, 355 Europe/Tirane, 356 Europe/Malta, 357 Asia/Nicosia, 358 Europe/Helsinki,
  359 Europe/Sofia, 36 Europe/Budapest, 370 Europe/Vilnius, 371 Europe/Riga, 372 Europe/Tallinn, 373 Europe/Chisinau,
  374 Asia/Yerevan, 375 Europe/Minsk, 376 Europe/Andorra, 377 Europe/Monaco, 378 Europe/San_Marino,
  380 Europe/Kyiv Europe/Simferopol, 381 Europe/Belgrade, 382 Europe/Podgorica, 383 Europe/Belgrade,
  385 Europe/Zagreb, 386 Europe/Ljubljana, 387 Europe/Sarajevo, 389 Europe/Skopje, 39 Europe/Rome,
  40 Europe/Bucharest, 41 Europe/Zurich, 420 Europe/Prague, 421 Europe/Bratislava, 423 Europe/Vaduz, 43 Europe/Vienna,
  44 Europe/London, 45 Europe/Copenhagen, 46 Europe/Stockholm, 47 Europe/Oslo, 48 Europe/Warsaw, 49 Europe/Berlin,
  500 Atlantic/Stanley, 501 America/Belize, 502 America/Guatemala, 503 America/El_Salvador, 504 America/Tegucigalpa,
  505 America/Managua, 506 America/Costa_Rica, 507 America/Panama, 508 America/Miquelon, 509 America/Port-au-Prince,
  51 America/Lima, 52 America/Tijuana America/Cancun, 53 America/Havana, 54 America/Argentina/Buenos_Aires,
  55 America/Rio_Branco America/Noronha, 56 Pacific/Easter America/Punta_Arenas, 57 America/Bogota,
  58 America/Caracas, 590 America/Guadeloupe, 591 America/La_Paz, 592 America/Guyana,
  593 Pacific/Galapagos America/Guayaquil, 594 America/Cayenne, 595 America/Asuncion, 596 America/Martinique,
  597 America/Paramaribo, 598 America/Montevideo, 599 America/Curacao,
  60 Asia/Kuala_Lumpur, 61 Australia/Perth Australia/Sydney Australia/Lord_Howe, 6189162 Indian/Cocos,
  6189164 Indian/Christmas, 62 Asia/Jakarta Asia/Jayapura, 63 Asia/Manila, 64 Pacific/Auckland Pacific/Chatham,
  65 Asia/Singapore, 66 Asia/Bangkok, 670 Asia/Dili, 672 Pacific/Norfolk, 673 Asia/Brunei, 674 Pacific/Nauru,
  675 Pacific/Port_Moresby Pacific/Bougainville, 676 Pacific/Tongatapu, 677 Pacific/Guadalcanal, 678 Pacific/Efate,
  679 Pacific/Fiji, 680 Pacific/Palau, 681 Pacific/Wallis, 682 Pacific/Rarotonga, 683 Pacific/Niue, 685 Pacific/Apia,
  686 Pacific/Tarawa Pacific/Kiritimati, 687 Pacific/Noumea, 688 Pacific/Funafuti, 689 Pacific/Tahiti Pacific/Gambier,
  690 Pacific/Fakaofo, 691 Pacific/Chuuk Pacific/Pohnpei, 692 Pacific/Majuro,
  7 Europe/Kaliningrad Asia/Kamchatka, 77 Asia/Almaty,
  81 Asia/Tokyo, 82 Asia/Seoul, 84 Asia/Ho_Chi_Minh, 850 Asia/Pyongyang, 852 Asia/Hong_Kong, 853 Asia/Macau,
  855 Asia/Phnom_Penh, 856 Asia/Vientiane, 86 Asia/Urumqi Asia/Shanghai, 880 Asia/Dhaka, 886 Asia/Taipei,
  90 Europe/Istanbul, 91 Asia/Kolkata, 92 Asia/Karachi, 93 Asia/Kabul, 94 Asia/Colombo, 95 Asia/Yangon,
  960 Indian/Maldives, 961 Asia/Beirut, 962 Asia/Amman, 963 Asia/Damascus, 964 Asia/Baghdad, 965 Asia/Kuwait,
  966 Asia/Riyadh, 967 Asia/Aden, 968 Asia/Muscat, 970 Asia/Gaza, 971 Asia/Dubai, 972 Asia/Jerusalem,
  973 Asia/Bahrain, 974 Asia/Qatar, 975 Asia/Thimphu, 976 Asia/Hovd Asia/Ulaanbaatar, 977 Asia/Kathmandu,
  98 Asia/Tehran, 992 Asia/Dushanbe, 993 Asia/Ashgabat, 994 Asia/Baku, 995 Asia/Tbilisi, 996 Asia/Bishkek,
  998 Asia/Samarkand`;

const zonesByBeginning: ReadonlyMap<string, readonly string[]> = new Map(
  zonesByBeginnings.split(",").map((entry) => {
    const [beginning = "", ...zones] = entry.trim().split(" ");
    return [beginning, zones] as const;
  }),
);

const LONGEST_BEGINNING = Math.max(...Array.from(zonesByBeginning.keys(), ({ length }) => length));

/**
 * The IANA zones between which the country of an E.164 number lies. Undefined for +1, whose area codes are more precise,
 * and for numbers without a country, such as +800.
 */
export function zonesOfCountry(number: string): readonly string[] | undefined {
  for (let length = LONGEST_BEGINNING; length > 0; length -= 1) {
    const zones = zonesByBeginning.get(number.slice(1, 1 + length));
    if (zones !== undefined) return zones;
  }
  return undefined;
}

/** Lists the first digits of numbers in countries with this time zone. */
export function beginningsIn(timezone: string): string[] {
  return Array.from(zonesByBeginning).flatMap(([beginning, zones]) => (zones.includes(timezone) ? [beginning] : []));
}
