// The Pi: where its holes and sockets are. Its own corner is 0, 0: x runs from the card to the USB sockets, y from the power socket to the 40 pins.
//
// Raspberry Pi's mechanical drawings: board 85 x 56, holes 2.7 for M2.5 at 3.5 from the edges, 58 x 49 apart, the same on 3, 4 and 5; Zero 2 W: 65 x 30,
// holes 58 x 23. Sockets stand 2.8 over the board's end. 3 and 5 have Ethernet beside the power socket's side, 4 beside the pins.

pi_board = pi == "zero" ? [65, 30] : [85, 56];
pi_holes = pi == "zero" ? [58, 23] : [58, 49];
pi_hole_in = 3.5;
pi_post = 6;           // from floor to board: the card's slot and the solder points below are 3 mm
pi_thick = 1.4;
pi_tall = 26;          // the pins with jumper plugs on them, and a cooler; right-angled plugs on a Zero
pi_plug = 38;          // room that a straight micro-HDMI or USB-C plug and its bend take off the board's side: measure yours
pi_plug_turned = 18;   // the same, of a right-angled plug
usb = [13.1, 16];      // a socket's width and height over the board
ethernet = [16, 13.6];

// What looks out at the end: [name, middle along y, width and height].
pi_sockets = pi == "zero" ? [] :
    pi == "4" ? [["USB 2", 9, usb], ["USB 3", 27, usb], ["Ethernet", 45.75, ethernet]] :
                [["Ethernet", 10.25, ethernet], ["USB", 29.1, usb], ["USB", 47, usb]];

// Posts for the board, to stand on a floor at z = 0; in them go heat-set inserts M2.5.
module pi_posts() {
    translate([pi_hole_in, pi_hole_in, -1]) linear_extrude(pi_post + 1)
        for (x = [0, pi_holes[0]], y = [0, pi_holes[1]]) translate([x, y]) difference() { circle(d = 6.4); circle(d = m25_insert); }
}

// What to take out of a wall beyond the sockets' end; z = 0 is the floor on which the posts stand.
module pi_socket_holes() {
    for (socket = pi_sockets)
        translate([pi_board[0] - 5, socket[1] - socket[2][0] / 2 - 0.7, pi_post + pi_thick - 0.7])
            cube([20, socket[2][0] + 1.4, socket[2][1] + 1.6]);
}

// Slots below the board, for air: a 2D shape.
module pi_vents() {
    for (x = [14 : 7 : pi_board[0] - 12]) translate([x, 9]) square([2.5, pi_board[1] - 18]);
}

// The room it takes; plugs: how far the power and HDMI plugs stand out at its side.
module pi_ghost(plugs = pi_plug) {
    translate([0, 0, pi_post + 0.01]) {
        translate([5, -plugs, 0]) cube([pi_board[0] - 25, plugs, 9]);
        cube([pi_board[0], pi_board[1], pi_thick]);
        translate([1, pi_board[1] - 8, pi_thick]) cube([56, 7, pi_tall - pi_thick]);
        translate([15, 12, pi_thick]) cube([30, 26, 12]);
        for (socket = pi_sockets)
            translate([pi_board[0] + 2.8 - 21, socket[1] - socket[2][0] / 2, pi_thick - 0.01]) cube([21, socket[2][0], socket[2][1]]);
    }
}
